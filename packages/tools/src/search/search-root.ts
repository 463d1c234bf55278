import { lstatSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isWithin, type JsonObject } from "@mdx-ai/base";
import { resolveRealPath } from "@mdx-ai/base/disk";
import { pathText, type ToolAccess } from "@mdx-ai/loop";
import { changedPath, FileToolError, fileError, permittedBy, resolveToPermit } from "@mdx-ai/permissions";
import type { SearchPattern } from "./search-pattern.ts";

/** The root of a search. */
export interface SearchRoot {
  /** The folder: absolute and real. */
  readonly folder: string;
  /** The only file in it to search, if any. */
  readonly file?: string;
}

/** The path that a call searches; default: the working directory. Absolute. */
export const searchedPath = (args: JsonObject, cwd: string): string =>
  resolve(cwd, typeof args["path"] === "string" ? args["path"] : ".");

/** The permitted root. Throws `FileToolError` if it now leads elsewhere, or is neither a folder nor a file. */
export function searchRoot(path: string, access: ToolAccess | undefined): SearchRoot {
  const permitted = permittedBy(access, "read") ?? resolveToPermit(path);
  try {
    if (resolveRealPath(path) !== permitted) throw changedPath(path);
    const stats = lstatSync(permitted);
    if (stats.isDirectory()) return { folder: permitted };
    if (stats.isFile()) return { folder: dirname(permitted), file: basename(permitted) };
  } catch (error) {
    throw fileError(error, path);
  }
  throw new FileToolError(`${JSON.stringify(path)} is neither a folder nor a regular file`);
}

/**
 * The path of a search result, as the tools that read and edit accept it: relative to the working directory, or absolute if the
 * folder is outside. Both paths are absolute and real.
 */
export function resultPaths(folder: string, cwd: string): (path: string) => string {
  const start = resolveRealPath(cwd);
  const prefix = isWithin(start, folder) ? relative(start, folder) : folder;
  return (path) => pathText(join(prefix, path));
}

/** Takes the name and the path of a permitted root, and returns a test of real paths: whether a tool may show them. */
export type ShownFiles = (tool: string, root: string) => (path: string) => boolean;

/** A search for a pattern. */
export interface Search {
  readonly pattern: SearchPattern;
  /** The folder, absolute and real. */
  readonly root: string;
  /** The only file in it to search, if any. */
  readonly file?: string | undefined;
  readonly signal: AbortSignal;
}

/** A file in which a pattern was found. */
export interface MatchingFile {
  /** Relative to the root, separated by "/". */
  readonly path: string;
  /** The number of matching lines. */
  readonly count: number;
}

/** Finds a pattern in the files below a folder, or in one file. */
export interface SearchEngine {
  /** All files with a match, in any order. Rejects with `FileToolError`. */
  matchingFiles(): Promise<readonly MatchingFile[]>;
  /** By path, the numbers of the first matching lines of these files, from 1, in order. Rejects with `FileToolError`. */
  matchingLines(paths: readonly string[], most: number): Promise<ReadonlyMap<string, readonly number[]>>;
}

/** The largest file that is searched, in bytes. */
export const MAX_FILE_BYTES: number = 256 * 1024 * 1024;

/** The time limit of a search, in seconds. */
export const MAX_SECONDS = 30;

import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, extname, join, resolve } from "node:path";
import { attempt, failureText, foldersFrom, isList, isRecord, isWithin, lineText } from "@mdx-ai/base";
import { readBytes, readOpened, realPathOrSame } from "@mdx-ai/base/disk";
import type { RepositoryNotes } from "../types/memory.ts";
import { importsOf } from "./note-imports.ts";

const CLAUDE_FILE = "CLAUDE.md";
/** The file names, in order: the first that exists in a folder is used. */
const NAMES: readonly string[] = ["AGENTS.md", CLAUDE_FILE];

/** How deep files that a CLAUDE.md imports may import others, as in Claude Code. */
const MAX_DEPTH = 5;

/** The maximum bytes that a model receives from all files together: 64 KiB. */
const SENT_BYTES = 65_536;

export interface RepositoryReading {
  /** Why a file (an absolute real path) must not be shown; undefined if it may be. */
  whyHidden(path: string): string | undefined;
  /** Receives one line for each file that is left out. */
  readonly onWarning: (message: string) => void;
}

/**
 * Reads the agent instructions in the folders from the root of a workspace's repository down to the workspace, outermost first, and
 * after a CLAUDE.md the files that it imports (`@docs/rules.md`). If they are too long, the nearest folders have priority, and files
 * are cut at the end. An entry that is not a regular file, is not UTF-8 or leads outside the repository is left out with a warning.
 * Never throws.
 */
export function readRepositoryNotes(workspace: string, reading: RepositoryReading): readonly RepositoryNotes[] {
  const folder = realPathOrSame(workspace);
  const above = foldersFrom(folder);
  const root = above.find((one) => isRepository(one, folder)) ?? folder;
  const reader: NotesReader = { ...reading, root, left: SENT_BYTES, seen: new Set() };
  const read = above
    .filter((candidate) => isWithin(root, candidate))
    .map((one) => {
      const path = NAMES.map((name) => join(one, name)).find(isThere);
      return path === undefined ? [] : readWithImports(path, reader, 0);
    });
  return read.toReversed().flat();
}

/** A file, then those that it imports, each once. */
function readWithImports(path: string, reader: NotesReader, depth: number): readonly RepositoryNotes[] {
  const real = realPathOrSame(path);
  if (reader.seen.has(real)) return [];
  reader.seen.add(real);
  const found = readNotes(path, reader);
  if (found === undefined) return [];
  reader.left -= found.size - found.omitted;
  const isImporting = depth < MAX_DEPTH && (depth > 0 || basename(path) === CLAUDE_FILE);
  const imported = isImporting ? importsOf(found.text) : [];
  return [found, ...imported.flatMap((name) => readImport(importedPath(path, name), reader, depth + 1))];
}

/** `@~/…` names a file of the user, which is outside any repository. */
const importedPath = (file: string, name: string): string =>
  name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(dirname(file), name);

/** Names that are no files, such as `@someone` or `@types/node`, are common in prose; those with an extension are meant as files. */
function readImport(path: string, reader: NotesReader, depth: number): readonly RepositoryNotes[] {
  const stats = attempt(() => lstatSync(path));
  if (stats?.isDirectory()) return [];
  if (stats !== undefined) return readWithImports(path, reader, depth);
  if (extname(path) !== "")
    reader.onWarning(`the model does not receive ${path}: CLAUDE.md imports it, but it does not exist`);
  return [];
}

/** As git does, ignores another user's repository, such as one that any user can create in `/tmp` around a workspace. */
function isRepository(folder: string, workspace: string): boolean {
  const owner = ownerOf(join(folder, ".git"));
  return owner !== undefined && [process.getuid?.(), ROOT, ownerOf(workspace)].includes(owner);
}

const ownerOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.uid;

const ROOT = 0;

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

interface NotesReader extends RepositoryReading {
  /** The root of the repository. An absolute real path. */
  readonly root: string;
  /** Bytes that may still be sent. */
  left: number;
  /** The files that were read. Real paths. */
  readonly seen: Set<string>;
}

function readNotes(path: string, { root, left, whyHidden, onWarning }: NotesReader): RepositoryNotes | undefined {
  const leaveOut = (why: string): undefined => void onWarning(`the model does not receive ${path}: ${lineText(why)}`);
  const real = realPathOrSame(path);
  if (!isWithin(root, real)) {
    return leaveOut(
      isWithin(root, path) ? "it is a symbolic link that leads outside the repository" : "it is outside the repository",
    );
  }
  const hidden = whyHidden(real);
  if (hidden !== undefined) return leaveOut(hidden);
  try {
    return readOpened(real, (descriptor, { size }) => {
      const bytes = readBytes(descriptor, 0, Math.min(size, left));
      const text = textOf(bytes);
      if (text === undefined) return leaveOut("it is not UTF-8");
      const sent = Buffer.byteLength(text);
      if (sent < size) onWarning(`the model does not receive the last ${size - sent} bytes of ${path}`);
      return { path, text, size, omitted: size - sent };
    });
  } catch (error) {
    return leaveOut(failureText(error));
  }
}

/** Decodes bytes without a character that is cut at the end; undefined if they are not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Whether a value that came out of JSON is a list of `RepositoryNotes`. */
export const isRepositoryNotes = (value: unknown): value is readonly RepositoryNotes[] => isList(value, isNotes);

const isNotes = (value: unknown): value is RepositoryNotes =>
  isRecord(value) &&
  [value["path"], value["text"]].every((text) => typeof text === "string") &&
  [value["size"], value["omitted"]].every((count) => typeof count === "number");

import { attempt, errorCode } from "@mdx-ai/base";
import { fileIdentity, openedIdentity, openedPath, resolveRealPath } from "@mdx-ai/base/disk";
import type { ToolAccess } from "@mdx-ai/loop";

/** A file cannot be read or written; the message is for a model. */
export class FileToolError extends Error {
  override readonly name = "FileToolError";
}

/** A requested path and its permitted target; the target is absent if no permission was needed. */
export interface PermittedFile {
  /** Absolute. */
  readonly path: string;
  /** Absolute, without symbolic links. */
  readonly permitted?: string | undefined;
}

/**
 * Whether the system has paths for descriptors of folders: a file created by such a path is created in that folder even after a
 * rename.
 */
export const HAS_DESCRIPTOR_PATHS: boolean = process.platform === "linux";

/** The meanings of the system's error codes; `%` is replaced by the path. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "% does not exist",
  EACCES: "% may not be accessed: permission denied",
  EPERM: "% may not be accessed: operation not permitted",
  EROFS: "% cannot be written: the file system is read-only",
  ENOSPC: "% cannot be written: no space is left on the disk",
  EDQUOT: "% cannot be written: the disk quota is used up",
  EISDIR: "% is a directory",
  ENOTDIR: "% does not exist: a part of the path is a file, not a folder",
  ELOOP: "% cannot be resolved: there are too many symbolic links, or its symbolic links form a circle",
  ENAMETOOLONG: "% is too long for a path",
  ERR_INVALID_ARG_VALUE: "% contains a null character, which is not allowed in a path",
  EMFILE: "% cannot be opened: too many files are open",
};

/** A file system error as a `FileToolError` that names the path, with the error as its cause. */
export function fileError(cause: unknown, path: string): FileToolError {
  if (cause instanceof FileToolError) return cause;
  const meaning = MEANINGS[errorCode(cause) ?? ""];
  const text = meaning?.replace("%", () => JSON.stringify(path)) ?? `${JSON.stringify(path)}: ${String(cause)}`;
  return new FileToolError(text, { cause });
}

/** The current target of an absolute path, for the question to the user. Throws `FileToolError` if the path cannot be resolved. */
export function resolveToPermit(path: string): string {
  try {
    return resolveRealPath(path);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** The path that a tool was permitted to access. */
export const permittedBy = (access: ToolAccess | undefined, kind: "read" | "write"): string | undefined =>
  access?.kind === kind ? access.path : undefined;

/** The error for a path that no longer leads to the permitted file. */
export const changedPath = (path: string): FileToolError =>
  new FileToolError(`${JSON.stringify(path)} changed between the check and the use, and was not accessed`);

/** Checks that the opened file is the permitted one. Throws `FileToolError`. */
export function checkOpened(descriptor: number, { path, permitted }: PermittedFile): void {
  if (permitted !== undefined && !isAt(descriptor, permitted)) throw changedPath(path);
}

function isAt(descriptor: number, path: string): boolean {
  const opened = openedPath(descriptor);
  return opened === undefined ? isStillAt(descriptor, path) : opened === path;
}

/**
 * A weaker check for systems that do not reveal the path of a descriptor: a parent folder could be replaced between check and
 * use.
 */
const isStillAt = (descriptor: number, path: string): boolean =>
  attempt(() => resolveRealPath(path) === path && openedIdentity(descriptor) === fileIdentity(path)) ?? false;

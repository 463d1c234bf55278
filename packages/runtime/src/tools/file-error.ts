import { errorCode } from "../files/error-code.ts";

/** A file cannot be read or written, in words for a model. */
export class FileToolError extends Error {
  override readonly name = "FileToolError";
}

/** What the system's error codes mean; `%` stands for the path. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "% does not exist",
  EACCES: "% may not be accessed: permission denied",
  EPERM: "% may not be accessed: operation not permitted",
  EROFS: "% cannot be written: the file system is read-only",
  ENOSPC: "% cannot be written: no space is left on the disk",
  EDQUOT: "% cannot be written: the disk quota is used up",
  EISDIR: "% is a directory",
  ENOTDIR: "% does not exist: a part of the path is a file, not a folder",
  ELOOP: "% cannot be resolved: its symbolic links form a circle",
  ENAMETOOLONG: "% is too long for a path",
  ERR_INVALID_ARG_VALUE: "% holds a null character, which no path may",
  EMFILE: "% cannot be opened: too many files are open",
};

/** An error of the file system as a `FileToolError` that names the path; others are kept as their cause. */
export function fileError(cause: unknown, path: string): FileToolError {
  if (cause instanceof FileToolError) return cause;
  const meaning = MEANINGS[errorCode(cause) ?? ""];
  const text = meaning?.replace("%", () => JSON.stringify(path)) ?? `${JSON.stringify(path)}: ${String(cause)}`;
  return new FileToolError(text, { cause });
}

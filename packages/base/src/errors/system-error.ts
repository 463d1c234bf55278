/** The code of a system error, such as "ENOENT"; undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The meaning of each system error code, and its fix. */
const WORDS: ReadonlyMap<string, readonly [reason: string, fix: string]> = new Map([
  ["ENOSPC", ["the disk is full", "make room, then try again"]],
  ["EDQUOT", ["the disk quota is used up", "make room, then try again"]],
  ["EFBIG", ["the file may not grow further (file-size limit)", "raise the limit, then try again"]],
  ["EROFS", ["the folder is read-only", "make it writable, then try again"]],
  ["EACCES", ["permission is denied", "let this user read and write there, then try again"]],
  ["EPERM", ["the system does not permit it", "let this user read and write there, then try again"]],
  ["ENOTDIR", ["there is a file where a folder should be", "move it away, then try again"]],
  ["EISDIR", ["there is a folder where a file should be", "move it away, then try again"]],
  ["ELOOP", ["symbolic links lead to themselves", "replace them, then try again"]],
  ["EIO", ["the disk reports an error", "check the disk, then try again"]],
]);

/**
 * Why a file or folder cannot be used, as text for people: the system's error in words, with its code and the fix, such as "the
 * disk is full (ENOSPC); make room, then try again". For any other value, its message.
 */
export function failureText(error: unknown): string {
  const code = errorCode(error) ?? "";
  const words = WORDS.get(code);
  if (words !== undefined) return `${words[0]} (${code}); ${words[1]}`;
  return error instanceof Error ? error.message : String(error);
}

/** The same after the action that failed, such as "cannot write in /data", if it is a known system error. */
export const failureOf = (action: string, error: unknown): string =>
  WORDS.has(errorCode(error) ?? "") ? `${action}: ${failureText(error)}` : failureText(error);

/**
 * The same after the path of a system error that has one, such as "/data/state: the disk is full (ENOSPC); …"; undefined for
 * other errors and other values.
 */
export function systemErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error && "path" in error) || !WORDS.has(errorCode(error) ?? "")) return undefined;
  return `${String(error.path)}: ${failureText(error)}`;
}

/** The result of `work`; undefined if its file or folder does not exist. Throws any other error of `work`. */
export function ifExists<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Creates something under a name. Returns false if the name is taken. Throws any other error of `make`. */
export function unlessTaken(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

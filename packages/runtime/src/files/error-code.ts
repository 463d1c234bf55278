import { errorCode } from "@mdx-ai/parser/system-error";

export { errorCode, failureText } from "@mdx-ai/parser/system-error";

/** What `work` returns; undefined if the file or folder it is about does not exist. Throws any other error of `work`. */
export function ifExists<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Makes something under a name. Returns false if the name is taken. Throws any other error of `make`. */
export function unlessTaken(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** A newer version of mdx-ai wrote a file, or a line of it. The message names the file and the fix. */
export class NewerVersionError extends Error {
  override readonly name = "NewerVersionError";

  constructor(path: string) {
    super(newerText(path));
  }
}

export const newerText = (what: string): string => `${what} was written by a newer version of mdx-ai; update mdx-ai`;

/** Whether a version from JSON is newer than the current one. */
export const isNewer = (version: unknown, current: number): boolean =>
  Number.isSafeInteger(version) && Number(version) > current;

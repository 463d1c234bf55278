/** A file in which a pattern was found. */
export interface MatchingFile {
  /** Relative to the root, separated by "/". */
  readonly path: string;
  /** How many of its lines match. */
  readonly count: number;
}

/** Finds a pattern in the files below a folder, or in one file. */
export interface SearchEngine {
  /** All files with a match, in any order. Rejects with `FileToolError`. */
  matchingFiles(): Promise<readonly MatchingFile[]>;
  /** The numbers of the first matching lines of one of these files, from 1, in order. Rejects with `FileToolError`. */
  matchingLines(path: string, most: number): Promise<readonly number[]>;
}

/** Bytes; a larger file is not searched. */
export const MOST_FILE_BYTES: number = 256 * 1024 * 1024;

/** Seconds that a search may take. */
export const MOST_SECONDS = 30;

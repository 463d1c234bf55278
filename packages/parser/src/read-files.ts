import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { type AgentFile, tooLarge, unreadable, wrongEncoding } from "./agent-files.ts";
import { decodeText } from "./source-text.ts";
import { errorCode } from "./system-error.ts";

const largestFile = 16 * 1024 * 1024;

/** Reads a text, which diagnostics call `path`. Undefined if there is no such file. Never throws. */
export function readText(file: string, path: string): AgentFile | undefined {
  try {
    return readRegular({ file, path, largest: largestFile }, statSync(file));
  } catch (error) {
    return codeOf(error) === "ENOENT" ? undefined : { path, problem: unreadable("file", codeOf(error)) };
  }
}

interface RegularFile {
  /** Its path on disk. */
  readonly file: string;
  /** Its path in diagnostics. */
  readonly path: string;
  /** Bytes. */
  readonly largest: number;
}

/** Throws the system's error if it cannot be read. */
export function readRegular({ file, path, largest }: RegularFile, information: Stats): AgentFile {
  if (!information.isFile()) return { path, problem: unreadable("file", "not a regular file") };
  if (information.size > largest) return { path, problem: tooLarge(information.size, largest) };
  // An empty file is not read: files of /proc claim to be empty and may have no end.
  const { text, invalidAt } = decodeText(information.size === 0 ? new Uint8Array() : readFileSync(file));
  return invalidAt === undefined ? { path, text } : { path, text, problem: { ...wrongEncoding, offset: invalidAt } };
}

type Listing =
  | { readonly type: "listed"; readonly names: readonly string[] }
  | { readonly type: "absent" }
  | { readonly type: "failed"; readonly reason: string };

/** The sorted names in a folder. Never throws. */
export function list(folder: string): Listing {
  try {
    return { type: "listed", names: readdirSync(folder).sort() };
  } catch (error) {
    return codeOf(error) === "ENOENT" ? { type: "absent" } : { type: "failed", reason: codeOf(error) };
  }
}

/** The code of an error of the system, such as "ENOENT"; of any other error its text. */
export const codeOf = (error: unknown): string => errorCode(error) ?? String(error);

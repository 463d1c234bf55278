import { writeFileSync } from "node:fs";
import { UsageError } from "../failures/program-error.ts";

/**
 * Writes a file that is its owner's alone, and never overwrites a file, which may be more than an older export. Throws
 * `UsageError`, or what the file system says.
 */
export function writeNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw isThere ? new UsageError(`${path} already exists; name a new file`) : error;
  }
}

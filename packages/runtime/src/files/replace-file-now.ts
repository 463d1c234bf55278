import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { draftName } from "./drafts.ts";

/**
 * As `replaceFile`, at once, for a file that its owner alone can read: it gets these pieces of text, one after the other. Throws
 * what the system says, leaving nothing behind.
 */
export function replaceFileNow(path: string, pieces: Iterable<string>): void {
  replaceFileAfter(path, pieces, () => {});
}

/** The same, with something to do when the new file is on disk and the old one still has the name; gives what that gives. */
export function replaceFileAfter<Result>(path: string, pieces: Iterable<string>, before: () => Result): Result {
  const draft = draftName(path);
  try {
    writeNew(draft, pieces);
    const result = before();
    renameSync(draft, path);
    return result;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeNew(path: string, pieces: Iterable<string>): void {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    for (const piece of pieces) writeFileSync(descriptor, piece);
    // Without it a power cut can leave the new name on an empty file.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

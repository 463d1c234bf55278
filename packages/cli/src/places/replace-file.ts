import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Characters of a file's name that the name of its draft repeats: a longer one could be too long for the file system. */
const KEPT_NAME = 100;

export interface Replacement {
  /** Absolute. A symbolic link is replaced itself. */
  readonly path: string;
  readonly text: string;
  /** The mode of the new file, whatever the user's mask is; without it, what that leaves of 0o666. */
  readonly mode?: number;
  /** Told the new file while it stands under another name; what it throws leaves the old one as it was. */
  readonly check?: (draft: string) => void;
}

/**
 * Replaces a file, or makes it, so that a reader sees the old one or the new, and a crash leaves one of them as a whole.
 * Throws what `check` or the file system says, leaving nothing behind.
 */
export function replaceFile({ path, text, mode, check }: Replacement): void {
  const draft = join(dirname(path), `.${basename(path).slice(0, KEPT_NAME)}.${crypto.randomUUID()}.tmp`);
  try {
    writeNew(draft, text, mode);
    check?.(draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeNew(path: string, text: string, mode: number | undefined): void {
  const descriptor = openSync(path, "wx", mode ?? 0o666);
  try {
    writeFileSync(descriptor, text);
    // Without it a power cut can leave the new name on an empty file.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (mode !== undefined) chmodSync(path, mode);
}

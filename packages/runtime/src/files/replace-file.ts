import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { draftName } from "./drafts.ts";

/** Characters of a file's name that the name of its draft repeats: a longer one could be too long for the file system. */
const KEPT_NAME = 100;

export interface Replacement {
  /** Absolute, and no symbolic link: that would be replaced itself. */
  readonly path: string;
  /** The mode of the new file, less what the user's mask takes away. */
  readonly mode: number;
  /** Fills the new file while it stands under another name. */
  readonly fill: (draft: FileHandle) => Promise<void>;
}

/**
 * Replaces a file so that a reader sees the old one or the new, and a crash leaves one of them as a whole: the new one is
 * written beside it, to the disk, and renamed over it. Rejects with what `fill` or the system throws, leaving nothing behind.
 */
export async function replaceFile({ path, mode, fill }: Replacement): Promise<void> {
  const draft = join(dirname(path), draftName(`.${basename(path).slice(0, KEPT_NAME)}`));
  try {
    const file = await open(draft, "wx", mode);
    try {
      await fill(file);
      // Without it a power cut can leave the new name on an empty file.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    // Why it was not written tells more than why a draft is left, if it is.
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a whole file beside its place and renames it, so that a reader sees the old text or the new and a crash leaves
 * one of them. The file is its owner's alone. Where that fails, makes the folder and tries once more; then rejects.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  try {
    await writeAndRename(path, text);
  } catch {
    await mkdir(dirname(path), { mode: 0o700 }).catch(() => {});
    await writeAndRename(path, text);
  }
}

async function writeAndRename(path: string, text: string): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await writeSynced(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    // Without it a power cut can leave the new name on an empty file.
    await file.datasync();
  } finally {
    await file.close();
  }
}

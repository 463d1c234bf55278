import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { WritableTarget } from "./writable-target.ts";

/**
 * Writes a file so that at each moment either the old or the new one is there as a whole: into a file beside it, to the
 * disk, then over it. An existing file's mode and owner are kept. Rejects with the system's error, leaving nothing behind.
 */
export async function replaceFile({ path, existing }: WritableTarget, bytes: Buffer): Promise<void> {
  const beside = join(dirname(path), `.${basename(path).slice(0, 100)}.${crypto.randomUUID()}.tmp`);
  try {
    const file = await open(beside, "wx", existing ? 0o600 : 0o666);
    try {
      await file.writeFile(bytes);
      if (existing) await keepOwnerAndMode(file, existing);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

type Existing = NonNullable<WritableTarget["existing"]>;

async function keepOwnerAndMode(file: FileHandle, { uid, gid, mode }: Existing): Promise<void> {
  const own = await file.stat();
  // Only the superuser may give a file away; for others the file becomes their own, as with an editor.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o7777);
}

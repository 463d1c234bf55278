import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** Gives a new file the owner and the mode of the one that it stands in for. Rejects with the system's error. */
export async function keepOwnerAndMode(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  // Only the superuser may give a file away; for others the file becomes their own, as with an editor.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o7777);
}

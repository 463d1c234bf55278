import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { pathWithin, realPlaceOrSame } from "../files/real-place.ts";
import { replaceFile } from "../files/replace-file.ts";
import { untilSettled } from "../sandbox/settled-directory.ts";
import type { FileKeeper } from "../types/tool.ts";
import { FileToolError, type PermittedFile } from "./permitted-file.ts";
import type { WritableTarget } from "./writable-target.ts";

/** A file that would be mistaken for a command's file is written when no command runs. Rejects with `FileToolError`. */
export async function refuseUnsettled(
  agentDir: string,
  { path, permitted = path }: PermittedFile,
  signal: AbortSignal,
): Promise<void> {
  const relative = pathWithin(realPlaceOrSame(agentDir), permitted);
  if (relative === undefined || (await untilSettled(agentDir, relative, signal))) return;
  const reason = "it defines the agent, and a command of the agent runs";
  throw new FileToolError(`${JSON.stringify(path)} cannot be created now: ${reason}; try again when that has ended`);
}

export interface NewContent {
  /** The file. Absolute, without symbolic links. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Keeps the content that is replaced. */
  readonly keeper?: FileKeeper | undefined;
}

/** Replaces a file, whose owner and mode stay, or creates it; returns whether there was one. Rejects with the system's error. */
export async function replaceContent(
  { path, existing }: WritableTarget,
  { path: real, bytes, keeper }: NewContent,
): Promise<boolean> {
  await keeper?.keep({ path: real, existing: path, content: bytes });
  await replaceFile({
    path,
    mode: existing ? 0o600 : 0o666,
    fill: async (draft) => {
      await draft.writeFile(bytes);
      if (existing) await keepOwnerAndMode(draft, existing);
    },
  });
  return existing !== undefined;
}

/** Gives a new file the owner and the mode of the one that it replaces. Rejects with the system's error. */
async function keepOwnerAndMode(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  // Only the superuser may give a file away; for others the file becomes their own, as with an editor.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o7777);
}

import { close, fchmodSync, fchownSync, fstatSync, openSync, type Stats } from "node:fs";
import { attempt } from "../attempt.ts";
import { PATH_ONLY, pathWithin, realPlaceOrSame } from "../files/real-place.ts";
import { replaceFile } from "../files/replace-file.ts";
import { isUnsettled, isUnsettledInWorkspace, untilSettled } from "../sandbox/settled-directory.ts";
import type { FileKeeper, ToolContext } from "../types/tool.ts";
import { FileToolError, type PermittedFile } from "./permitted-file.ts";
import type { WritableTarget } from "./writable-target.ts";

/** A file that would be mistaken for a command's file is written when no command runs. Rejects with `FileToolError`. */
export async function refuseUnsettled(
  { agentDir, cwd, signal }: Pick<ToolContext, "agentDir" | "cwd" | "signal">,
  { path, permitted = path }: PermittedFile,
): Promise<void> {
  const refuse = async (folder: string, what: string, isHeld: typeof isUnsettled): Promise<void> => {
    const real = realPlaceOrSame(folder);
    const relative = pathWithin(real, permitted);
    if (relative === undefined || (await untilSettled(real, relative, { signal, isHeld }))) return;
    const reason = `it ${what}, and a command of the agent runs`;
    throw new FileToolError(`${JSON.stringify(path)} cannot be created now: ${reason}; try again when that has ended`);
  };
  await refuse(agentDir, "defines the agent", isUnsettled);
  if (cwd !== agentDir) await refuse(cwd, "runs code on its own", isUnsettledInWorkspace);
}

export interface NewContent {
  /** The file. Absolute, without symbolic links. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What is replaced, if that is known. */
  readonly before?: Uint8Array;
  /** Keeps the content that is replaced. */
  readonly keeper?: FileKeeper | undefined;
}

/**
 * Replaces a file, whose owner and mode stay, or creates it; returns whether there was one. It is not synced, as an editor would not:
 * after a power cut a change of the last seconds may be lost. Rejects with the system's error.
 */
export async function replaceContent(
  { path, existing }: WritableTarget,
  { path: real, bytes, before, keeper }: NewContent,
): Promise<boolean> {
  // No draft may be found as a file that a command changed.
  await keeper?.settled();
  const held = existing && attempt(() => openSync(path, PATH_ONLY));
  try {
    await replaceFile({
      path,
      mode: existing ? 0o600 : 0o666,
      isDispensable: true,
      fill: async (draft) => {
        const kept = keeper?.keep({ path: real, existing: path, ...(before && { before }), content: bytes });
        await Promise.all([kept, draft.writeFile(bytes)]);
        if (existing) keepOwnerAndMode(draft.fd, existing);
      },
    });
  } finally {
    // The system removes the replaced content now, not while the tool's result is waited for: it may wait for the disk.
    if (held !== undefined) close(held, () => {});
  }
  return existing !== undefined;
}

/** Gives a new file the owner and the mode of the one that it replaces. Throws the system's error. */
function keepOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(file);
  // Only the superuser may give a file away; for others the file becomes their own, as with an editor.
  if (own.uid !== uid || own.gid !== gid) attempt(() => fchownSync(file, uid, gid));
  fchmodSync(file, mode & 0o7777);
}

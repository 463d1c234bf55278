import { close, fchmodSync, fchownSync, fstatSync, openSync, type Stats } from "node:fs";
import { attempt } from "@mdx-ai/base";
import { PATH_ONLY, replaceFile, writeContent } from "@mdx-ai/base/disk";
import type { FileKeeper } from "@mdx-ai/loop";
import type { WritableTarget } from "./writable-target.ts";

export interface NewContent {
  /** The file. Absolute, without symbolic links. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What is replaced, if that is known. */
  readonly before?: Uint8Array;
  /** Keeps the content that is replaced. */
  readonly keeper?: FileKeeper | undefined;
  /** What can be done while it is written. */
  readonly meanwhile?: () => void;
}

/**
 * Replaces a file, whose owner and mode stay, or creates it; returns whether there was one. It is not synced, as an editor would not:
 * after a power cut a change of the last seconds may be lost. Rejects with the system's error.
 */
export async function replaceContent(
  { path, existing }: WritableTarget,
  { path: real, bytes, before, keeper, meanwhile }: NewContent,
): Promise<boolean> {
  const held = existing && attempt(() => openSync(path, PATH_ONLY));
  try {
    await replaceFile({
      path,
      mode: existing ? 0o600 : 0o666,
      isDispensable: true,
      fill: async (draft) => {
        const written = writeContent(draft, bytes);
        // It may fail before it is waited for, as on a full disk: that must not end the process.
        written.catch(() => {});
        try {
          await keeper?.keep({ path: real, existing: path, ...(before && { before }), content: bytes });
          meanwhile?.();
        } finally {
          await written;
        }
        if (existing) keepOwnerAndMode(draft, existing);
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

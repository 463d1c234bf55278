import { close, fchmodSync, fchownSync, fstatSync, openSync, type Stats } from "node:fs";
import { attempt } from "@mdx-ai/base";
import { PATH_ONLY, replaceFile, writeContent } from "@mdx-ai/base/disk";
import type { FileKeeper } from "@mdx-ai/loop";
import { writeInEditor, writtenText } from "./editor-files.ts";
import type { UserEditor } from "./user-editor.ts";
import type { WritableTarget } from "./writable-target.ts";

export interface NewContent {
  /** The file. Absolute, without symbolic links. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The replaced content, if known. */
  readonly before?: Uint8Array;
  /** Saves the replaced content. */
  readonly keeper?: FileKeeper | undefined;
  /** The user's editor, which writes the text if it can, at the path as the user names it. */
  readonly editor?: { readonly editor: UserEditor | undefined; readonly path: string };
  /** Work to do during the write. */
  readonly meanwhile?: () => void;
}

/**
 * Replaces a file, keeping its owner and mode, or creates it; returns whether it existed. Does not sync, like an editor: a power
 * cut may lose a change of the last seconds. Rejects with the system's error.
 */
export async function replaceContent(
  { path, existing }: WritableTarget,
  { path: real, bytes, before, keeper, editor, meanwhile }: NewContent,
): Promise<boolean> {
  const text = writtenText(editor?.editor, bytes);
  if (editor !== undefined && text !== undefined) {
    await keeper?.keep({ path: real, existing: path, ...(before && { before }), content: bytes });
    await writeInEditor(editor.editor, editor.path, text);
    meanwhile?.();
    return existing !== undefined;
  }
  const held = existing && attempt(() => openSync(path, PATH_ONLY));
  try {
    await replaceFile({
      path,
      mode: existing ? 0o600 : 0o666,
      isDispensable: true,
      fill: async (draft) => {
        const written = writeContent(draft, bytes);
        // It may fail before it is awaited, as on a full disk, which must not end the process.
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
    // Frees the replaced content now, in the background: it may wait for the disk.
    if (held !== undefined) close(held, () => {});
  }
  return existing !== undefined;
}

/** Copies owner and mode of the replaced file. Throws the system's error. */
function keepOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(file);
  // Only the superuser can change the owner; otherwise the file becomes the user's, as with an editor.
  if (own.uid !== uid || own.gid !== gid) attempt(() => fchownSync(file, uid, gid));
  fchmodSync(file, mode & 0o7777);
}

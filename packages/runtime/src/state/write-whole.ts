import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "../files/replace-file.ts";

/**
 * Replaces a whole file, its owner's alone, in one move. Where that fails, makes the file's folder and tries once more; then
 * rejects. Folders above are never made, so that a removed agent directory stays removed.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const write = (): Promise<void> => replaceFile({ path, mode: 0o600, fill: (draft) => draft.writeFile(text) });
  try {
    await write();
  } catch {
    await mkdir(dirname(path), { mode: 0o700 }).catch(() => {});
    await write();
  }
}

import type { FrontEnd } from "../front-end.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { type SelfEdit, writeEdit } from "../reading/edit-record.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { type AgreedEdit, keepAgreed, rememberAgreed } from "../trust/agreed-edit.ts";

/** As `writeEdit`; a directory that its user trusts stays trusted: `agreed` is absent for another one. */
export async function makeEdit(edit: SelfEdit, agreed: AgreedEdit | undefined, frontEnd: FrontEnd): Promise<void> {
  const forget = agreed && rememberAgreed(edit.directory, agreed, frontEnd);
  try {
    await writeEdit(edit, frontEnd.environment);
  } catch (error) {
    forget?.();
    throw error;
  }
  if (agreed === undefined) return;
  const directory = await readDirectory(edit.directory, frontEnd);
  await keepAgreed(directory, await readManifest(directory), frontEnd);
}

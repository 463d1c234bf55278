import { attempt, errorMessage } from "@mdx-ai/base";
import { FileToolError } from "@mdx-ai/permissions";
import type { UserEditor } from "./user-editor.ts";

/** What an editor shows of a file, as bytes; undefined without an editor that reads, or if it cannot read this file. Never rejects. */
export async function shownBytes(editor: UserEditor | undefined, path: string): Promise<Buffer | undefined> {
  if (editor?.readText === undefined) return undefined;
  const text = await editor.readText(path).catch(() => undefined);
  return text === undefined ? undefined : Buffer.from(text, "utf8");
}

/** The text that an editor writes for these bytes; undefined without an editor that writes, or if they are not text. */
export const writtenText = (editor: UserEditor | undefined, bytes: Uint8Array): string | undefined =>
  editor?.writeText && attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));

/** Writes the text of a file in an editor. Rejects with `FileToolError`. */
export async function writeInEditor(editor: UserEditor | undefined, path: string, text: string): Promise<void> {
  await editor?.writeText?.(path, text).catch((cause: unknown) => {
    throw new FileToolError(`the editor did not write ${JSON.stringify(path)}: ${errorMessage(cause)}`, { cause });
  });
}

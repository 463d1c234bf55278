import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeTool, FileMemory } from "@mdx-ai/tools";
import { editFileTool } from "../../packages/tools/src/edit/edit-file-tool.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { textOf, toolContext } from "./tool-context.ts";

export interface ShownEdit {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

export interface Edited {
  readonly now: string;
  readonly text: string;
  readonly isError: boolean;
  readonly details: unknown;
}

/** Edits a file with this content; returns what is in it then, and the result. */
export async function edit(content: string | Uint8Array, ...edits: readonly ShownEdit[]): Promise<Edited> {
  using folder = temporaryDirectory();
  const path = join(folder.path, "a.txt");
  writeFileSync(path, content);
  const tool = editFileTool({ files: new FileMemory() });
  const args = { path: "a.txt", edits: edits.map((each) => ({ ...each })) };
  const { isError, details, ...result } = await executeTool(tool, args, toolContext(folder.path));
  const text = textOf(result).replaceAll(folder.path, "DIR");
  return { now: readFileSync(path, "utf8"), text, isError, details };
}

/** An error that contains this message. */
export const failed = (message: string): { readonly isError: true; readonly text: string } => ({
  isError: true,
  text: expect.stringContaining(message),
});

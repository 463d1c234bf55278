import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "@mdx-ai/models";

/** The user's editor did not start, or failed. */
class EditorError extends Error {
  override readonly name = "EditorError";
}

/** The command line of the user's editor; undefined if the user has none. */
export const editorOf = (environment: Environment): string | undefined =>
  environment["VISUAL"]?.trim() || environment["EDITOR"]?.trim() || undefined;

/**
 * Opens a text in the user's editor, which gets the terminal of this process, and resolves to the text when the editor has ended.
 * `editor` is a command line for a shell, as Git takes it. Rejects with `EditorError`, or with what the file system says.
 */
export async function editText(text: string, editor: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "mdx-ai-input-"));
  const file = join(folder, "prompt.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const child = Bun.spawn(["/bin/sh", "-c", `${editor} "$@"`, "editor", file], {
      stdio: ["inherit", "inherit", "inherit"],
    });
    const exitCode = await child.exited;
    if (exitCode !== 0) throw new EditorError(`the editor ${JSON.stringify(editor)} ended with exit code ${exitCode}`);
    // Editors end a file with a newline that nobody typed.
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

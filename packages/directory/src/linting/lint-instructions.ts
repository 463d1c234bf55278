import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type LintedFile, MAX_FINDINGS, pointAt } from "./linted-file.ts";

/** Characters of instructions above which Claude Code warns. */
const MAX_LENGTH = 40_000;

/** Reports the mistakes of AGENTS.md or CLAUDE.md. */
export function lintInstructions(file: LintedFile): void {
  const { text, report } = file;
  if (text.trim() === "") {
    report("instructions-empty", {
      message: "the file is empty",
      hint: "write the instructions, or remove the file",
    });
    return;
  }
  if (text.length > MAX_LENGTH) {
    const message = `the instructions have ${text.length} characters, and each prompt brings all of them`;
    report("instructions-length", { message, hint: "move what is seldom needed to skills or other files" });
  }
  if (/(?:^|\/)CLAUDE(?:\.local)?\.md$/.test(file.path)) lintImports(file);
}

/** An import of a file with an ending, at the start of a word. */
const IMPORT = /(?<=^|[\s(])@((?:~|\.{1,2})?\/?[\w.-]+(?:\/[\w.-]+)*\.(?:md|mdx|txt|json|ya?ml|toml))(?=$|[\s),;:.])/gm;

/** Imports are not read in code. What lies outside of the project is another user's matter. */
function lintImports({ path, text, report }: LintedFile): void {
  const prose = withoutCode(text);
  for (const match of [...prose.matchAll(IMPORT)].slice(0, MAX_FINDINGS)) {
    const [, target = ""] = match;
    if (target.startsWith("~") || target.startsWith("/")) continue;
    if (existsSync(resolve(dirname(path), target)) || !existsSync(join(dirname(path), dirname(target)))) continue;
    report("instructions-import", {
      at: pointAt(text, match.index),
      message: `\`@${target}\` is not imported: there is no such file`,
      hint: "correct the path, which is relative to this file, or write it in backticks if it is no import",
    });
  }
}

/** The text with blanks in place of code, so that offsets stay. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split("\n").map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    return isCode ? " ".repeat(line.length) : line.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
  });
  return lines.join("\n");
}

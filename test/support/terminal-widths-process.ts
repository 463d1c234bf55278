// Draws emoji in a table, in columns and wrapped, and asks the terminal after each line where its cursor is:
// `terminal-widths-process.ts FILE` writes the columns that the program counts and those that the terminal counts.
import { writeFileSync } from "node:fs";
import { columns, drawable, themeOf, wrapped } from "./cli/output.ts";
import { CodeHighlighter, renderMarkdown } from "./cli/terminal.ts";

const [file = ""] = process.argv.slice(2);
const EMOJI = ["⚠️", "✔️", "❤️", "ℹ️", "®️", "1️⃣", "🛠️", "✅", "日本", "é", "🇩🇪", "plain"];
const theme = themeOf({ NO_COLOR: "1" });
const table = ["| a | b |", "| - | - |", ...EMOJI.map((emoji) => `| ${emoji} | x |`)].join("\n");
const lines = {
  table: renderMarkdown(table, 40, { theme, highlighter: new CodeHighlighter(theme) }),
  columns: columns(
    EMOJI.map((emoji) => ({ cells: [emoji, "x"] })),
    (_colour, text) => text,
  ),
  wrapped: EMOJI.flatMap((emoji) => wrapped(drawable(emoji.repeat(20)), 10)),
};

process.stdin.setRawMode(true);
process.stdin.resume();

function cursorColumn(): Promise<number> {
  const answer = Promise.withResolvers<number>();
  process.stdin.once("data", (data) => answer.resolve(Number(/;(\d+)R/.exec(String(data))?.[1]) - 1));
  process.stdout.write("\u001b[6n");
  return answer.promise;
}

async function measured(line: string): Promise<{ readonly counted: number; readonly shown: number }> {
  process.stdout.write(`\r\u001b[2K${line}`);
  return { counted: Bun.stringWidth(line), shown: await cursorColumn() };
}

const widths: Record<string, readonly { readonly counted: number; readonly shown: number }[]> = {};
for (const [name, all] of Object.entries(lines)) {
  const found = [];
  for (const line of all) found.push(await measured(line));
  widths[name] = found;
}
writeFileSync(file, JSON.stringify(widths));
process.exit(0);

import type { FileFix } from "@mdx-ai/directory/checking";
import { plainText } from "@mdx-ai/directory/text";
import { counted } from "../output/figures.ts";
import type { Paint } from "../output/paint.ts";

/** The number of fixes in a file and its changed lines, before and after, under the heading `path`. */
export async function changesText({ before, after, fixed }: FileFix, path: string, paint: Paint): Promise<string> {
  const { structuredPatch } = await import("diff");
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 1 });
  const lines = hunks.flatMap(({ oldStart, lines: changed }) => [
    paint("dim", `@@ line ${oldStart} @@`),
    ...changed.filter((line) => !line.startsWith("\\")).map((line) => painted(line, paint)),
  ]);
  return `${paint("bold", path)}: ${counted(fixed.length, "mistake")} fixed\n${lines.join("\n")}\n`;
}

function painted(line: string, paint: Paint): string {
  const text = plainText(line.replace(/\r$/, ""));
  if (line.startsWith("+")) return paint("green", text);
  return line.startsWith("-") ? paint("red", text) : text;
}

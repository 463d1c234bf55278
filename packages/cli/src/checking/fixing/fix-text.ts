import { counted } from "../../counted.ts";
import type { Paint } from "../../output/paint.ts";
import { plainText } from "../../plain-text.ts";
import type { FileFix } from "./fix-directory.ts";

/** What was changed in a file: its lines before and after, under the name that `path` is. */
export async function fixText({ before, after, mended }: FileFix, path: string, paint: Paint): Promise<string> {
  const { structuredPatch } = await import("diff");
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 1 });
  const lines = hunks.flatMap(({ oldStart, lines: changed }) => [
    paint("dim", `@@ line ${oldStart} @@`),
    ...changed.filter((line) => !line.startsWith("\\")).map((line) => painted(line, paint)),
  ]);
  return `${paint("bold", path)}: ${counted(mended.length, "mistake")} mended\n${lines.join("\n")}\n`;
}

function painted(line: string, paint: Paint): string {
  const text = plainText(line.replace(/\r$/, ""));
  if (line.startsWith("+")) return paint("green", text);
  return line.startsWith("-") ? paint("red", text) : text;
}

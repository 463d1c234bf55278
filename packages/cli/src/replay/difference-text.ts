import { sha256 } from "@mdx-ai/parser/fingerprint";
import type { ToolDifference } from "@mdx-ai/runtime";
import { contentText } from "../output/content-text.ts";
import type { Paint } from "../output/paint.ts";
import { plainLine } from "../plain-text.ts";
import { type DifferenceLine, textDifference } from "../testing/difference.ts";
import { differenceText } from "../testing/test-text.ts";

type Answer = ToolDifference["recorded"];

/** How a result differs from the recorded one: lines of both ("-" as recorded, "+" as it is now). */
export async function differenceLines({ recorded, now }: ToolDifference): Promise<readonly DifferenceLine[]> {
  const lines = await textDifference(textOf(recorded), textOf(now));
  if (recorded.isError === now.isError) return lines;
  const errors = { "-": recorded.isError, "+": now.isError } as const;
  return [
    ...(["-", "+"] as const).map((mark) => ({ mark, text: errors[mark] ? "(an error)" : "(no error)" })),
    ...lines,
  ];
}

/** The same for people, below the name of the tool. */
export async function shownDifference(difference: ToolDifference, paint: Paint): Promise<string> {
  const title = `${plainLine(difference.name)} gives another result now (- recorded, + now)`;
  const lines = await differenceLines(difference);
  return [paint("yellow", title), ...lines.map((line) => `    ${differenceText(line, paint)}`.trimEnd()), ""].join(
    "\n",
  );
}

/** An image is shown as a short hash, so that a difference can be seen. */
const textOf = ({ content }: Answer): string =>
  content.some(({ type }) => type === "image")
    ? content
        .map((block) => (block.type === "text" ? block.text : `[${block.mimeType} ${shortHash(block.data)}]`))
        .join("\n")
    : contentText(content);

const shortHash = (data: string): string => sha256(data).slice(0, 12);

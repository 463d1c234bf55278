import { plainLine } from "@mdx-ai/directory/text";
import { shortened } from "@mdx-ai/parser/visible-text";
import type { SessionRecord, SessionSummary } from "@mdx-ai/runtime";
import { wrapped } from "../output/columns.ts";
import { counted } from "../output/figures.ts";
import type { Paint } from "../output/paint.ts";
import { usageText } from "../output/prompt-lines.ts";
import { type Part, type Passage, passages } from "./passages.ts";

/** How many lines of a tool's arguments or result are shown; an export has all. */
const CODE_LINES = 10;

/** The start of each line of a message, so that none looks like a heading. */
const INDENT = "  ";

/** Longer names of speakers are cut, so that no heading is wrapped. */
const LONGEST_SPEAKER = 40;

/**
 * A session for the terminal: headings start at the margin, and messages are indented. `redact` takes secrets out of a text,
 * which may be spread over its lines.
 */
export const sessionText = (
  { summary, messages }: SessionRecord,
  { paint, redact }: { readonly paint: Paint; readonly redact: (text: string) => string },
): string => {
  const redacted = (part: Part): Part => (part.type === "image" ? part : { ...part, text: redact(part.text) });
  const shown = passages(messages).map((one) => passageText({ ...one, parts: one.parts.map(redacted) }, paint));
  return redact([headText(summary, paint), ...shown].join("\n"));
};

/** The figures of a session: "2 prompts, 3 turns, 1,234 tokens in, 56 out, $0.01, its last prompt was interrupted". */
export function figuresText({ prompts, turns, cost, damagedLines, ...summary }: SessionSummary): string {
  const figures = [counted(prompts, "prompt"), counted(turns, "turn"), usageText(cost)];
  const damage = damagedLines === undefined ? undefined : `without ${counted(damagedLines, "damaged line")}`;
  return [...figures, unfinishedText(summary), damage].filter((one) => one !== undefined).join(", ");
}

function unfinishedText({ isUnfinished, holder }: Pick<SessionSummary, "isUnfinished" | "holder">): string | undefined {
  if (!isUnfinished) return undefined;
  return holder === undefined
    ? "its last prompt was interrupted"
    : `its last prompt is running in ${plainLine(holder)}`;
}

const headText = (summary: SessionSummary, paint: Paint): string =>
  `${paint("bold", `Session ${plainLine(summary.id)}`)}\n${paint("dim", figuresText(summary))}\n`;

/** The same for a terminal of so many columns: continued lines stay indented. */
export const wrappedSession = (text: string, columns: number): string =>
  text
    .split("\n")
    .flatMap((line) =>
      line.startsWith(INDENT) ? wrapped(line.slice(INDENT.length), columns, INDENT) : wrapped(line, columns),
    )
    .join("\n");

function passageText({ side, speaker, time, parts }: Passage, paint: Paint): string {
  const name = shortened(speaker, LONGEST_SPEAKER);
  // A model may call a tool by any name.
  const head = side === "tool" ? paint("dim", `result of ${name}`) : paint("bold", name);
  const lines = parts.flatMap((part) => partLines(part, paint)).map((line) => `${INDENT}${line}\n`);
  return `${head} ${paint("dim", time)}\n${lines.join("")}`;
}

function partLines(part: Part, paint: Paint): readonly string[] {
  const painted = (style: Parameters<Paint>[0], text: string): readonly string[] =>
    text.split("\n").map((line) => paint(style, line));
  switch (part.type) {
    case "text":
      return part.text.split("\n");
    case "thinking":
      return painted("dim", part.text);
    case "failure":
      return painted("red", part.text);
    case "code":
      return codeLines(part.label, part.text, paint);
    case "image":
      return painted("dim", `[${part.mimeType}]`);
  }
}

function codeLines(label: string, text: string, paint: Paint): readonly string[] {
  const lines = text.split("\n");
  const more = lines.length - CODE_LINES;
  const shown = lines.slice(0, CODE_LINES).map((line) => `  ${line}`);
  const rest = more > 0 ? [paint("dim", `  … ${counted(more, "more line")}; an export has all`)] : [];
  return [...(label === "" ? [] : [paint("green", label)]), ...shown, ...rest];
}

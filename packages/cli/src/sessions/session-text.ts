import type { SessionRecord, SessionSummary } from "@mdx-ai/runtime";
import { counted } from "../output/figures.ts";
import type { Paint } from "../output/paint.ts";
import { spendingText } from "../output/spending-text.ts";
import { plainLine } from "../plain-text.ts";
import { type Part, type Passage, passages } from "./passages.ts";

/** How many lines of a tool's arguments or result are shown; an export has all. */
const CODE_LINES = 10;

/** A session for the terminal. */
export const sessionText = ({ summary, messages }: SessionRecord, paint: Paint): string =>
  [headText(summary, paint), ...passages(messages).map((one) => passageText(one, paint))].join("\n");

/** The figures of a session: "2 prompts, 3 turns, 1,234 tokens in, 56 out, $0.01, its last prompt was interrupted". */
export function figuresText({ prompts, turns, spending, damagedLines, ...summary }: SessionSummary): string {
  const figures = [counted(prompts, "prompt"), counted(turns, "turn"), spendingText(spending)];
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

function passageText({ side, speaker, time, parts }: Passage, paint: Paint): string {
  const head = side === "tool" ? paint("dim", speaker) : paint("bold", speaker);
  return `${head} ${paint("dim", time)}\n${parts.map((part) => `${partText(part, paint)}\n`).join("")}`;
}

function partText(part: Part, paint: Paint): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "thinking":
      return paint("dim", part.text);
    case "failure":
      return paint("red", part.text);
    case "code":
      return codeText(part.label, part.text, paint);
    case "image":
      return paint("dim", `[${part.mimeType}]`);
  }
}

function codeText(label: string, text: string, paint: Paint): string {
  const lines = text.split("\n");
  const more = lines.length - CODE_LINES;
  const shown = lines.slice(0, CODE_LINES).map((line) => `  ${line}`);
  const rest = more > 0 ? [paint("dim", `  … ${counted(more, "more line")}; an export has all`)] : [];
  return [...(label === "" ? [] : [paint("green", label)]), ...shown, ...rest].join("\n");
}

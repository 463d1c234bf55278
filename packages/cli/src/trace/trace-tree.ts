import type { Trace, TracePrompt, TraceTurn } from "@mdx-ai/runtime";
import { counted } from "../counted.ts";
import { duration } from "../output/figures.ts";
import { limitText } from "../output/limit-text.ts";
import type { Colour, Paint } from "../output/paint.ts";
import { spendingText } from "../output/spending-text.ts";
import { compactionLine, shortText, stepLine } from "./step-line.ts";
import type { TreeNode } from "./tree.ts";

/** A trace as a tree: prompts, their turns, and the steps of those. Nothing in it acts upon a terminal. */
export function traceTree(trace: Trace, paint: Paint): TreeNode {
  const between = (number: number): TreeNode[] =>
    trace.compactions
      .filter(({ afterPrompt }) => afterPrompt === number)
      .map((one) => leaf(compactionLine(one, paint)));
  const total = parts([counted(trace.prompts.length, "prompt"), spendingText(trace.spending)]);
  return {
    line: `${paint("bold", `session ${shortText(trace.session)}`)}  ${paint("dim", total)}`,
    children: [
      ...otherNodes(trace.otherSteps, paint),
      ...between(0),
      ...trace.prompts.flatMap((prompt) => [promptNode(prompt, paint), ...between(prompt.number)]),
    ],
  };
}

/** A prompt as a tree. */
export function promptNode(prompt: TracePrompt, paint: Paint): TreeNode {
  const input = prompt.input === undefined ? "" : `  ${shortText(prompt.input)}`;
  return {
    line: `${paint("bold", `prompt ${prompt.number}`)}${input}`,
    children: [
      leaf(paint("dim", parts([startText(prompt.startedAt), lengthText(prompt), spendingText(prompt.spending)]))),
      ...prompt.turns.map((turn) => turnNode(turn, paint)),
      ...otherNodes(prompt.otherSteps, paint),
      leaf(endLine(prompt, paint)),
    ],
  };
}

const turnNode = ({ number, steps }: TraceTurn, paint: Paint): TreeNode => ({
  line: `turn ${number}`,
  children: steps.map((step) => leaf(stepLine(step, paint))),
});

const otherNodes = (steps: readonly string[], paint: Paint): TreeNode[] =>
  steps.map((step) => leaf(paint("dim", `step ${shortText(step)}`)));

const leaf = (line: string): TreeNode => ({ line, children: [] });

const END_COLOURS = {
  done: "green",
  error: "red",
  aborted: "yellow",
  limit: "yellow",
  unfinished: "yellow",
} as const satisfies Readonly<Record<TracePrompt["outcome"], Colour>>;

function endLine(prompt: TracePrompt, paint: Paint): string {
  return paint(END_COLOURS[prompt.outcome], endText(prompt));
}

function endText({ outcome, limit }: TracePrompt): string {
  switch (outcome) {
    case "done":
    case "aborted":
      return outcome;
    case "error":
      return "ended by an error";
    case "limit":
      return limit === undefined ? "stopped at a limit" : limitText(limit);
    case "unfinished":
      return "no end yet: it runs still, or was interrupted";
  }
}

const lengthText = (prompt: TracePrompt): string | undefined =>
  prompt.duration === undefined ? undefined : duration(prompt.duration);

/** In the local time zone: "2026-03-01 14:05:09". */
function startText(time: number | undefined): string | undefined {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return undefined;
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

const parts = (texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined).join(", ") || "nothing is known of its time";

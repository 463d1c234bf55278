import type { Trace, TracePrompt, TraceTurn } from "@mdx-ai/runtime";
import { counted, duration, momentText } from "../output/figures.ts";
import type { Colour, Paint } from "../output/paint.ts";
import { usageText } from "../output/prompt-lines.ts";
import { cutEnd } from "../output/text-width.ts";
import { compactionLine, entryLine, shortText } from "./step-line.ts";
import { agentChangeText, endText, looseEntries, queuedText, rewindText, turnEntries } from "./turn-entries.ts";

/** A styled line of a tree, with its branches. */
export interface TreeNode {
  readonly line: string;
  readonly children: readonly TreeNode[];
}

/** A trace as a tree: prompts, their turns, and the steps of those. It contains no control sequences. */
export function traceTree(trace: Trace, paint: Paint): TreeNode {
  const between = (number: number): TreeNode[] => betweenNodes(trace, number, paint);
  const total = parts([counted(trace.prompts.length, "prompt"), usageText(trace.cost)]);
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
      leaf(paint("dim", parts([momentText(prompt.startedAt), lengthText(prompt), usageText(prompt.cost)]))),
      ...prompt.turns.map((turn) => turnNode(prompt, turn, paint)),
      ...looseEntries(prompt).map((entry) => leaf(entryLine(entry, paint))),
      ...otherNodes(prompt.otherSteps, paint),
      leaf(endLine(prompt, paint)),
    ],
  };
}

const turnNode = (prompt: TracePrompt, turn: TraceTurn, paint: Paint): TreeNode => ({
  line: `turn ${turn.number}`,
  children: turnEntries(prompt, turn).map((entry) => leaf(entryLine(entry, paint))),
});

/** The steps of a session between a prompt and the next one. */
function betweenNodes({ compactions, queued, rewinds, agentChanges }: Trace, number: number, paint: Paint): TreeNode[] {
  const isHere = (one: { readonly afterPrompt: number }): boolean => one.afterPrompt === number;
  return [
    ...compactions.filter(isHere).map((one) => compactionLine(one, paint)),
    ...queued.filter(isHere).map((one) => `${paint("dim", queuedText(one))}  ${shortText(one.text)}`),
    ...agentChanges.filter(isHere).map((one) => paint("yellow", shortText(agentChangeText(one)))),
    ...rewinds.filter(isHere).map(({ prompt }) => paint("yellow", rewindText(prompt))),
  ].map(leaf);
}

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

const lengthText = (prompt: TracePrompt): string | undefined =>
  prompt.duration === undefined ? undefined : duration(prompt.duration);

const parts = (texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined).join(", ") || "nothing is known of its time";

/** A tree in lines of at most so many columns; what does not fit ends in "…". */
export function drawTree(root: TreeNode, columns: number): readonly string[] {
  return [cutEnd(root.line, columns), ...branches(root.children, "", columns)];
}

function branches(nodes: readonly TreeNode[], indent: string, columns: number): readonly string[] {
  return nodes.flatMap(({ line, children }, at) => {
    const isLast = at === nodes.length - 1;
    const own = cutEnd(`${indent}${isLast ? "└─ " : "├─ "}${line}`, columns);
    return [own, ...branches(children, `${indent}${isLast ? "   " : "│  "}`, columns)];
  });
}

import { plainLine } from "@mdx-ai/directory/text";
import { counted, dollars, duration, grouped, momentText } from "@mdx-ai/directory/views/figures";
import { usageText } from "@mdx-ai/directory/views/prompt-lines";
import {
  agentChangeText,
  type Entry,
  endText,
  looseEntries,
  PERMISSION_TEXTS,
  queuedText,
  rewindText,
  turnEntries,
} from "@mdx-ai/directory/views/trace-entries";
import { inputTokens } from "@mdx-ai/models";
import type {
  Trace,
  TraceCall,
  TraceCompaction,
  TraceModel,
  TracePrompt,
  TraceTool,
  TraceTurn,
} from "@mdx-ai/sessions";
import { cutEnd } from "../output/line-layout.ts";
import type { Colour, Paint } from "../output/output.ts";

/** A styled line of a tree, with its children. */
export interface TreeNode {
  readonly line: string;
  readonly children: readonly TreeNode[];
}

/** A trace as a tree: prompts, turns and steps. Contains no control sequences. */
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
  children: turnEntries(prompt, turn).map((entry) => entryNode(entry, paint)),
});

/** A step; below the call of an agent, what the agent did. */
const entryNode = (entry: Entry, paint: Paint): TreeNode => ({
  line: entryLine(entry, paint),
  children: entry.type === "tool" && entry.agent?.trace !== undefined ? [traceTree(entry.agent.trace, paint)] : [],
});

/** The steps of a session between two prompts. */
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
  texts.filter((text) => text !== undefined).join(", ") || "its time is unknown";

/** A tree as lines of limited width; longer ones end in "…". */
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

/** Maximum characters read of an untrusted text; no line shows more. */
const MAX_LENGTH = 1000;

/** An untrusted text as part of a line. */
const shortText = (text: string): string => plainLine(text.slice(0, MAX_LENGTH));

/** A step in a turn or between turns, as one line without control sequences. */
function entryLine(step: Entry, paint: Paint): string {
  switch (step.type) {
    case "model":
      return modelLine(step, paint);
    case "retry":
      return `${paint("yellow", "↻")} ${shortText(step.step)}  waited ${duration(step.delay)}`;
    case "fallback":
      return `${paint("yellow", "⇒")} ${shortText(step.from)} is unavailable; used ${shortText(step.to)} from here on`;
    case "compaction":
      return compactionLine(step, paint);
    case "tool":
      return toolLine(step, paint);
    case "steering":
      return `${paint("bold", step.turn === undefined ? "› you, too late for the model:" : "› you:")}  ${shortText(step.text)}`;
    case "resumption":
      return paint("yellow", `↷ interrupted; resumed at ${momentText(step.at) ?? "?"}`);
  }
}

/** A compaction, or a failed attempt, as one line. */
function compactionLine({ step, gain, error, call }: TraceCompaction, paint: Paint): string {
  const name = shortText(step);
  const figures = call ? `  ${paint("dim", figuresOf(call))}` : "";
  if (!gain) return `${paint("red", "✗")} ${name}  ${paint("red", shortText(error ?? "failed"))}${figures}`;
  const estimated = gain.measured === "estimate" ? " (estimated)" : "";
  const tokens = `a request has ${grouped(gain.after)} instead of ${counted(gain.before, "token")}${estimated}`;
  return `${paint("yellow", "≡")} ${name}  ${tokens}${figures}`;
}

function modelLine(step: TraceModel, paint: Paint): string {
  const mark = step.isFailed ? paint("red", "✗") : paint("green", "✓");
  const name = shortText(step.step);
  const figures = paint("dim", figuresOf(step));
  // On a narrow terminal the end of a line is cut, so the failure comes first.
  if (step.isFailed) return `${mark} ${name}  ${paint("red", errorText(step))}  ${figures}`;
  // The normal case is not mentioned.
  const isPlain = step.stopReason === "stop" || step.stopReason === "toolUse";
  const reason = isPlain ? "" : `  ${paint("yellow", step.stopReason)}`;
  return `${mark} ${name}${reason}  ${figures}  ${shortText(step.text)}`.trimEnd();
}

function errorText({ status, error, stopReason }: TraceModel): string {
  const text = shortText(error ?? stopReason);
  return status === undefined ? text : `${text} (status ${status})`;
}

/** "1.2 s, 1,234 tokens in, 56 out, $0.0123, provider/name"; unknown values are omitted. */
function figuresOf({ latency, usage, usd, provider, model }: TraceCall): string {
  const input = inputTokens(usage);
  const hasTokens = input + usage.output > 0;
  const about = usage.estimated ? "about " : "";
  return [
    ...(latency === undefined ? [] : [duration(latency)]),
    ...(hasTokens ? [`${about}${counted(input, "token")} in`, `${grouped(usage.output)} out`] : []),
    ...(hasTokens ? [usd === undefined ? "cost unknown" : dollars(usd)] : []),
    shortText(`${provider}/${model}`),
  ].join(", ");
}

const TOOL_MARKS = {
  done: ["green", "✓"],
  error: ["red", "✗"],
  interrupted: ["red", "✗"],
  started: ["yellow", "…"],
  waiting: ["dim", "·"],
} as const satisfies Readonly<Record<TraceTool["state"], readonly [Colour, string]>>;

function toolLine(tool: TraceTool, paint: Paint): string {
  const [colour, mark] = TOOL_MARKS[tool.state];
  const time = tool.duration === undefined ? "" : `  ${duration(tool.duration)}`;
  const text = toolText(tool);
  const outcome = text === "" ? "" : `  ${tool.state === "done" ? text : paint(colour, text)}`;
  const args = Object.keys(tool.arguments).length === 0 ? "" : ` ${shortText(JSON.stringify(tool.arguments))}`;
  const asked = tool.permission === undefined ? "" : `  ${paint("yellow", PERMISSION_TEXTS[tool.permission])}`;
  return `${paint(colour, mark)} ${paint("bold", shortText(tool.name))}${paint("dim", time)}${asked}${outcome}${paint("dim", args)}`;
}

/** The remark after a tool's time; empty if it succeeded. */
function toolText({ state, result = "" }: TraceTool): string {
  switch (state) {
    case "done":
      return "";
    case "error":
    case "interrupted":
      return shortText(result);
    case "started":
      return "started, no result";
    case "waiting":
      return "no result";
  }
}

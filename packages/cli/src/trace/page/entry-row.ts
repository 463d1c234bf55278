import { jsonText } from "@mdx-ai/directory/text";
import { inputTokens } from "@mdx-ai/models";
import { shortened, visibleLine } from "@mdx-ai/parser/visible-text";
import type { TraceCall, TraceCompaction, TraceModel, TraceTool } from "@mdx-ai/runtime";
import { counted, dollars, exactDuration, grouped, momentText } from "../../output/figures.ts";
import { escaped } from "../../output/html-page.ts";
import type { TimedEntry } from "../timeline/prompt-timeline.ts";
import type { TimeScale } from "../timeline/time-scale.ts";
import { type Entry, isFailed, PERMISSION_TEXTS } from "../turn-entries.ts";
import { bar, callFacts, factsHtml, textHtml } from "./page-parts.ts";

/** An entry as a row of the timeline; each of its long texts has at most `limit` characters. */
export function entryRow({ entry, span }: TimedEntry, scale: TimeScale, limit: number): Row {
  return { ...rowOf(entry, limit), isBad: isFailed(entry), bar: bar(span, scale) };
}

type BarlessRow = Omit<Row, "bar" | "isBad">;

function rowOf(entry: Entry, limit: number): BarlessRow {
  switch (entry.type) {
    case "model":
      return modelRow(entry, limit);
    case "tool":
      return toolRow(entry, limit);
    case "compaction":
      return compactionRow(entry, limit);
    case "retry":
      return { kind: "retry", name: "waited", time: exactDuration(entry.delay), excerpt: entry.step, details: "" };
    case "fallback":
      return {
        kind: "fallback",
        name: `used ${entry.to} from here on`,
        excerpt: `${entry.from} is unavailable`,
        details: "",
      };
    case "steering":
      return steeringRow(entry, limit);
    case "resumption":
      return { kind: "resumption", name: `interrupted; resumed at ${momentText(entry.at) ?? "?"}`, details: "" };
  }
}

function modelRow(step: TraceModel, limit: number): BarlessRow {
  const { model, text, stopReason, status } = step;
  const failure = step.isFailed ? (step.error ?? stopReason) : undefined;
  // The normal case needs no remark.
  const isPlain = stopReason === "stop" || stopReason === "toolUse";
  return {
    kind: "model",
    name: model,
    excerpt: failure ?? `${isPlain ? "" : `${stopReason} `}${text}`,
    ...callCells(step),
    details: [
      factsHtml([...callFacts(step), stopReason, status === undefined ? undefined : `status ${status}`, step.step]),
      textHtml("Error", failure, limit),
      textHtml("Answer", text, limit),
    ].join(""),
  };
}

function callCells({ latency, usage, usd }: TraceCall): Pick<Row, "time" | "tokens" | "cost"> {
  const input = inputTokens(usage);
  return {
    ...(latency !== undefined && { time: exactDuration(latency) }),
    ...(input + usage.output > 0 && {
      tokens: `${grouped(input)} → ${grouped(usage.output)}`,
      cost: usd === undefined ? "?" : dollars(usd),
    }),
  };
}

const TOOL_STATES = {
  done: undefined,
  error: "failed",
  interrupted: "interrupted; not run again",
  started: "started; still running, or cut off",
  waiting: "waiting; no result is known",
} as const satisfies Readonly<Record<TraceTool["state"], string | undefined>>;

function toolRow(tool: TraceTool, limit: number): BarlessRow {
  const { name, state, permission, result, duration } = tool;
  const ended = momentText(tool.endedAt);
  const isBad = isFailed(tool);
  const text = state === "started" || state === "waiting" ? TOOL_STATES[state] : argumentsText(tool);
  return {
    kind: "tool",
    name,
    excerpt: isBad ? `${result ?? state} ${argumentsText(tool)}` : text,
    ...(duration !== undefined && { time: exactDuration(duration) }),
    details: [
      factsHtml([permission && PERMISSION_TEXTS[permission], TOOL_STATES[state], ended && `ended ${ended}`, tool.step]),
      textHtml("Arguments", jsonText(tool.arguments, 2), limit),
      textHtml(isBad ? "Error" : "Result", result, limit),
    ].join(""),
  };
}

const argumentsText = (tool: TraceTool): string =>
  Object.keys(tool.arguments).length === 0 ? "" : JSON.stringify(tool.arguments);

/** A summary, in a turn or between prompts. */
export function compactionRow({ step, gain, error, call }: TraceCompaction, limit: number): BarlessRow {
  const about = gain?.measured === "estimate" ? "about " : "";
  const gained = gain && `a request has ${about}${grouped(gain.after)} instead of ${counted(gain.before, "token")}`;
  return {
    kind: "compaction",
    name: "summary",
    excerpt: gained ?? error ?? "failed",
    ...(call && callCells(call)),
    details: `${factsHtml([...(call ? callFacts(call) : []), gained, step])}${textHtml("Error", error, limit)}`,
  };
}

function steeringRow({ text, at, turn, step }: Extract<Entry, { type: "steering" }>, limit: number): BarlessRow {
  const said = momentText(at);
  const received = turn === undefined ? "the model did not receive it" : `the model received it in turn ${turn}`;
  return {
    kind: "steering",
    name: turn === undefined ? "you said, too late" : "you said",
    excerpt: text,
    details: factsHtml([said && `said ${said}`, received, step]) + textHtml("You", text, limit),
  };
}

/** The kind of a row, which sets its colour. */
type RowKind = "model" | "tool" | "retry" | "fallback" | "compaction" | "steering" | "resumption";

/** A row of the timeline. Texts are plain, `bar` and `details` are HTML. */
export interface Row {
  readonly kind: RowKind;
  /** Something went wrong. */
  readonly isBad?: boolean;
  readonly name: string;
  /** Foreign text after the name; only its start is shown. */
  readonly excerpt?: string;
  readonly time?: string;
  readonly tokens?: string;
  readonly cost?: string;
  readonly bar: string;
  /** Shown when the row is opened; empty if there is nothing more to show. */
  readonly details: string;
}

/** Characters of a foreign text that are shown in a row. */
const EXCERPT = 120;

/** The beginning of a foreign text on one line, as HTML. */
export const excerptHtml = (text: string): string => escaped(shortened(excerptOf(text), EXCERPT));

/** Whether an excerpt of a text omits something, or joins its lines. */
export const isShortened = (text: string): boolean =>
  text.trim().includes("\n") || [...excerptOf(text)].length > EXCERPT;

/** The beginning; white space at the very beginning must not hide the rest. */
const excerptOf = (text: string): string => visibleLine(text.trimStart().slice(0, 4 * EXCERPT));

/** A row as HTML; one that can be opened is a `details`. */
export function rowHtml(row: Row): string {
  const { kind, isBad, name, excerpt, time = "", tokens = "", cost = "", bar, details } = row;
  const text = excerpt === undefined || excerpt === "" ? "" : ` <q>${excerptHtml(excerpt)}</q>`;
  const mark = isBad ? '<em role="img" aria-label="failed">✗</em>' : "";
  const figures = `${tokens}${cost}` === "" ? "" : `<span class="k">${tokens}</span><span class="k">${cost}</span>`;
  const cells = `<span class="n">${mark}<b>${excerptHtml(name)}</b>${text}</span><span>${time}</span>${figures}<span class="w">${bar}</span>`;
  const classes = `row ${kind}${isBad ? " bad" : ""}`;
  if (details === "") return `<div class="${classes}"><div class="cells">${cells}</div></div>`;
  return `<details class="${classes}"><summary class="cells">${cells}</summary><div class="more">${details}</div></details>`;
}

import { jsonText } from "@mdx-ai/directory/text";
import { inputTokens } from "@mdx-ai/models";
import type { TraceCall, TraceCompaction, TraceModel, TraceTool } from "@mdx-ai/runtime";
import { counted, dollars, exactDuration, grouped, momentText } from "../../output/figures.ts";
import type { TimedEntry } from "../timeline/prompt-timeline.ts";
import type { TimeScale } from "../timeline/time-scale.ts";
import { PERMISSION_TEXTS } from "../trace-words.ts";
import { type Entry, isFailed } from "../turn-entries.ts";
import { bar } from "./bar.ts";
import { callFacts, factsHtml, textHtml } from "./facts.ts";
import type { Row } from "./row.ts";

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
        name: `asked ${entry.to} from here on`,
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
  // What is plain needs no word.
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
  interrupted: "interrupted; it was not run again",
  started: "started; it runs still, or was cut off",
  waiting: "waiting; nothing is known of it",
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

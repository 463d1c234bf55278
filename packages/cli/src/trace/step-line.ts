import { plainLine } from "@mdx-ai/directory/text";
import { inputTokens } from "@mdx-ai/models";
import type { TraceCall, TraceCompaction, TraceModel, TraceTool } from "@mdx-ai/runtime";
import { counted, dollars, duration, grouped, momentText } from "../output/figures.ts";
import type { Colour, Paint } from "../output/paint.ts";
import { type Entry, PERMISSION_TEXTS } from "./turn-entries.ts";

/** The most characters of a foreign text that are read; no line holds more. */
const LONGEST = 1000;

/** A foreign text for a part of a line. */
export const shortText = (text: string): string => plainLine(text.slice(0, LONGEST));

/** What happened in a turn, or between turns, as one line without control sequences. */
export function entryLine(step: Entry, paint: Paint): string {
  switch (step.type) {
    case "model":
      return modelLine(step, paint);
    case "retry":
      return `${paint("yellow", "↻")} ${shortText(step.step)}  waited ${duration(step.delay)}`;
    case "fallback":
      return `${paint("yellow", "⇒")} ${shortText(step.from)} is unavailable; asked ${shortText(step.to)} from here on`;
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

/** A summary, or an attempt at one, as one line. */
export function compactionLine({ step, gain, error, call }: TraceCompaction, paint: Paint): string {
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
  // On a narrow terminal the end of a line is lost: what went wrong comes first.
  if (step.isFailed) return `${mark} ${name}  ${paint("red", errorText(step))}  ${figures}`;
  // The normal case needs no remark.
  const isPlain = step.stopReason === "stop" || step.stopReason === "toolUse";
  const reason = isPlain ? "" : `  ${paint("yellow", step.stopReason)}`;
  return `${mark} ${name}${reason}  ${figures}  ${shortText(step.text)}`.trimEnd();
}

function errorText({ status, error, stopReason }: TraceModel): string {
  const text = shortText(error ?? stopReason);
  return status === undefined ? text : `${text} (status ${status})`;
}

/** "1.2 s, 1,234 tokens in, 56 out, $0.0123, provider/name"; what is not known is left out. */
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

/** The remark on a tool beside its time; empty if it succeeded. */
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

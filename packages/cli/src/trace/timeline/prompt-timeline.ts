import type { TracePrompt, TraceTool } from "@mdx-ai/runtime";
import { type Entry, looseEntries, turnEntries } from "../turn-entries.ts";
import { type Span, spanOf, type TimeScale, timeScale } from "./time-scale.ts";

/** An entry with its time, as far as known. */
export interface TimedEntry {
  readonly entry: Entry;
  readonly span: Span | undefined;
}

/** A turn with its times. */
interface TimedTurn {
  readonly number: number;
  readonly entries: readonly TimedEntry[];
}

/** A prompt with its times. */
export interface PromptTimeline {
  readonly prompt: TracePrompt;
  readonly turns: readonly TimedTurn[];
  /** Entries outside any turn. */
  readonly loose: readonly TimedEntry[];
  readonly scale: TimeScale;
}

/** A pause of a prompt becomes a break if it takes more than this share of the prompt's work. */
const LONG_PAUSE = 0.25;

/** The times of what happened in a prompt. */
export function promptTimeline(prompt: TracePrompt): PromptTimeline {
  const turns = prompt.turns.map((turn) => ({ number: turn.number, entries: timedEntries(turnEntries(prompt, turn)) }));
  const loose = timedEntries(looseEntries(prompt));
  const entries = [...turns.flatMap((turn) => turn.entries), ...loose];
  const moments = [prompt.startedAt, prompt.endedAt].map((time) => (time === undefined ? undefined : spanOf(time)));
  const spans = [...entries.map(({ span }) => span), ...moments].filter(isKnown);
  return { prompt, turns, loose, scale: timeScale(spans, LONG_PAUSE) };
}

/** The stretches of a session in which its prompts ran. A pause as long as the average prompt is a break. */
export function sessionScale(timelines: readonly PromptTimeline[]): TimeScale {
  const runs = timelines.flatMap(({ scale }) => scale.runs);
  return timeScale(runs, 1 / Math.max(1, timelines.length));
}

const isKnown = (span: Span | undefined): span is Span => span !== undefined;

/** The time after which the next one begins. */
const LEADING: readonly Entry["type"][] = ["model", "compaction", "retry"];

/**
 * When the entries of a turn were. What has no time in the journal follows what was before it: a wait begins at the end of
 * the failed attempt. A tool without a known duration is drawn as one moment.
 */
export function timedEntries(entries: readonly Entry[]): readonly TimedEntry[] {
  let last: number | undefined;
  return entries.map((entry) => {
    const span = spanAfter(entry, last);
    if (span && LEADING.includes(entry.type)) last = span.to;
    return { entry, span };
  });
}

function spanAfter(entry: Entry, last: number | undefined): Span | undefined {
  switch (entry.type) {
    case "model":
      return spanOf(entry.at, entry.latency);
    case "compaction":
      return entry.call ? spanOf(entry.call.at, entry.call.latency) : momentOf(last);
    case "retry":
      return last === undefined ? undefined : spanOf(last, entry.delay);
    case "fallback":
      return momentOf(last);
    case "steering":
    case "resumption":
      return spanOf(entry.at);
    case "tool":
      return toolSpan(entry, last);
  }
}

/** An interrupted call is a mark where it began: nobody knows how far it got. */
function toolSpan({ state, endedAt, duration }: TraceTool, last: number | undefined): Span | undefined {
  if (endedAt !== undefined && duration !== undefined) return spanOf(endedAt - duration, duration);
  return state === "done" || state === "error" ? momentOf(endedAt) : momentOf(last);
}

const momentOf = (time: number | undefined): Span | undefined => (time === undefined ? undefined : spanOf(time));

import type { TracePrompt } from "@mdx-ai/runtime";
import { looseEntries, turnEntries } from "../turn-entries.ts";
import { type TimedEntry, timedEntries } from "./entry-spans.ts";
import { type Span, spanOf } from "./span.ts";
import { type TimeScale, timeScale } from "./time-scale.ts";

/** A turn with its times. */
interface TimedTurn {
  readonly number: number;
  readonly entries: readonly TimedEntry[];
}

/** A prompt with its times. */
export interface PromptTimeline {
  readonly prompt: TracePrompt;
  readonly turns: readonly TimedTurn[];
  /** What belongs to no turn. */
  readonly loose: readonly TimedEntry[];
  readonly scale: TimeScale;
}

/** A pause of a prompt is worth a break where it takes more than this share of the prompt's work. */
const LONG_PAUSE = 0.25;

/** When what happened in a prompt was. */
export function promptTimeline(prompt: TracePrompt): PromptTimeline {
  const turns = prompt.turns.map((turn) => ({ number: turn.number, entries: timedEntries(turnEntries(prompt, turn)) }));
  const loose = timedEntries(looseEntries(prompt));
  const entries = [...turns.flatMap((turn) => turn.entries), ...loose];
  const moments = [prompt.startedAt, prompt.endedAt].map((time) => (time === undefined ? undefined : spanOf(time)));
  const spans = [...entries.map(({ span }) => span), ...moments].filter(isKnown);
  return { prompt, turns, loose, scale: timeScale(spans, LONG_PAUSE) };
}

/** The stretches of a session in which its prompts were worked off. A pause as long as the average prompt is a break. */
export function sessionScale(timelines: readonly PromptTimeline[]): TimeScale {
  const runs = timelines.flatMap(({ scale }) => scale.runs);
  return timeScale(runs, 1 / Math.max(1, timelines.length));
}

const isKnown = (span: Span | undefined): span is Span => span !== undefined;

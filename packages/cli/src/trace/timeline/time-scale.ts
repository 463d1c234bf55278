import { exactDuration, timeText } from "../../output/figures.ts";

/** From one moment to another, or one moment alone; milliseconds since 1970. `to` is not before `from`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The farthest that a date reaches. */
const FARTHEST = 8.64e15;

/** A span of so many milliseconds; undefined if it is no valid date, as in an edited journal. */
export function spanOf(from: number, length = 0): Span | undefined {
  const to = from + Math.max(0, length);
  return Math.abs(from) <= FARTHEST && to <= FARTHEST ? { from, to } : undefined;
}

/** The span from the first moment to the last; undefined for none. */
export function wholeSpan(spans: readonly Span[]): Span | undefined {
  const [first] = spans;
  if (first === undefined) return undefined;
  return spans.reduce(
    (whole, { from, to }) => ({ from: Math.min(whole.from, from), to: Math.max(whole.to, to) }),
    first,
  );
}

/** A stretch of time in which something happened, and where it is drawn: fractions of the whole, from 0 to 1. */
interface Run extends Span {
  readonly start: number;
  readonly end: number;
}

/** A stretch in which nothing happened, drawn short. */
interface Break {
  readonly start: number;
  readonly end: number;
  /** Milliseconds. */
  readonly length: number;
}

/** The positions at which times are drawn. Runs have one scale; the breaks between them are short, however long they took. */
export interface TimeScale {
  /** In their order; empty only for a scale of nothing. */
  readonly runs: readonly Run[];
  readonly breaks: readonly Break[];
  /** Milliseconds of all runs. */
  readonly busy: number;
}

/** The share of a break, where there are few. */
const BREAK = 0.04;

/** The share of all breaks. */
const BREAKS = 0.3;

/** A pause that nobody notices, in milliseconds. */
const SHORT = 2000;

/**
 * A scale for these spans. A pause between them is a break if it is longer than two seconds and than `share` of the time
 * in which something happened.
 */
export function timeScale(spans: readonly Span[], share: number): TimeScale {
  const merged = joined(spans, 0);
  const busy = lengthOf(merged);
  const runs = joined(merged, Math.max(SHORT, busy * share));
  return placed(runs);
}

/** Where a time is drawn, from 0 to 1; a time in no run is drawn at the end of the run before it. */
export function placeOf({ runs }: TimeScale, time: number): number {
  const run = runs.findLast(({ from }) => from <= time) ?? runs[0];
  if (run === undefined) return 0;
  const share = run.to === run.from ? 0 : (Math.min(Math.max(time, run.from), run.to) - run.from) / (run.to - run.from);
  return run.start + share * (run.end - run.start);
}

/** Milliseconds of a span that lie in runs, and not in a break. */
export const busyWithin = ({ runs }: TimeScale, span: Span): number =>
  runs.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0);

/** Spans in their order; those that are at most so many milliseconds apart are merged. */
function joined(spans: readonly Span[], pause: number): readonly Span[] {
  const runs: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = runs.at(-1);
    if (last && span.from - last.to <= pause) {
      runs[runs.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    } else runs.push(span);
  }
  return runs;
}

function placed(spans: readonly Span[]): TimeScale {
  const busy = lengthOf(spans);
  const width = spans.length < 2 ? 0 : Math.min(BREAK, BREAKS / (spans.length - 1));
  const room = 1 - width * (spans.length - 1);
  const runs: Run[] = [];
  const breaks: Break[] = [];
  for (const span of spans) {
    const last = runs.at(-1);
    // Fractions whose sum is 1 may add up to a little more.
    const start = last ? Math.min(1, last.end + width) : 0;
    if (last) breaks.push({ start: last.end, end: start, length: span.from - last.to });
    const share = busy === 0 ? 1 / spans.length : (span.to - span.from) / busy;
    runs.push({ ...span, start, end: Math.min(1, start + share * room) });
  }
  return { runs, breaks, busy };
}

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** A mark of a time axis. */
export interface Tick {
  /** From 0 to 1. */
  readonly place: number;
  readonly label: string;
}

/** The marks that a scale has at most, about. */
const WANTED = 6;

/** The least distances between two labels, and of the last one from the end, as shares of the whole. */
const APART = 0.1;
const MARGIN = 0.07;

/** The marks of a scale: in its first run the time since its beginning; each later run begins with the time of day. */
export function ticksOf({ runs, busy }: TimeScale): readonly Tick[] {
  const step = roundStep(busy / WANTED);
  const marks = runs.flatMap((run, number) => runTicks(run, step, number === 0));
  // The start of a run matters more than its progress.
  const beginnings = farApart(marks.filter(({ isBeginning }) => isBeginning));
  const others = marks.filter(({ place }) => beginnings.every((one) => Math.abs(one.place - place) >= APART));
  return farApart([...beginnings, ...others].sort((one, other) => one.place - other.place));
}

/** Marks in their order without those whose labels would run into the one before, or out of the drawing. */
function farApart(marks: readonly Mark[]): readonly Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks) {
    const last = kept.at(-1);
    if ((last === undefined || mark.place - last.place >= APART) && mark.place <= 1 - MARGIN) kept.push(mark);
  }
  return kept;
}

interface Mark extends Tick {
  readonly isBeginning: boolean;
}

function runTicks({ from, to, start, end }: Run, step: number, isFirst: boolean): readonly Mark[] {
  const count = to === from ? 0 : Math.floor((to - from) / step);
  return Array.from({ length: count + 1 }, (_, number) => {
    const offset = number * step;
    const place = to === from ? start : start + (offset / (to - from)) * (end - start);
    const isBeginning = number === 0;
    if (isFirst) return { place, isBeginning, label: isBeginning ? "0" : exactDuration(offset) };
    return { place, isBeginning, label: isBeginning ? (timeText(from) ?? "") : `+${exactDuration(offset)}` };
  });
}

/** Lengths that people count in, in milliseconds. */
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

/** At least so many milliseconds, and a round number of them, of seconds or of minutes. */
function roundStep(least: number): number {
  const seconds = SECONDS.find((one) => one * 1000 >= least);
  if (least > 500 && seconds !== undefined) return seconds * 1000;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least) ?? 10;
  return factor * power;
}

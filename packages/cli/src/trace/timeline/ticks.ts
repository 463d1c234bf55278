import { exactDuration, timeText } from "../../output/figures.ts";
import type { Run, TimeScale } from "./time-scale.ts";

/** A mark of a time axis. */
export interface Tick {
  /** From 0 to 1. */
  readonly place: number;
  readonly label: string;
}

/** The marks that a scale has at most, about. */
const WANTED = 6;

/** The shares of the whole that two labels must be apart, and that the last one must be from the end. */
const APART = 0.1;
const MARGIN = 0.07;

/** The marks of a scale: in its first run the time since its beginning; each later run begins with the time of day. */
export function ticksOf({ runs, busy }: TimeScale): readonly Tick[] {
  const step = roundStep(busy / WANTED);
  const marks = runs.flatMap((run, number) => runTicks(run, step, number === 0));
  // Where a run begins is worth more than how far it came.
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

import type { CrashCase } from "./crash-case.ts";
import type { CrashKill } from "./crash-kill.ts";

/** A generator of numbers from 0 to below 1 that gives the same ones for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    const once = Math.imul(state ^ (state >>> 15), state | 1);
    const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61));
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface RandomMomentsOptions {
  readonly count: number;
  readonly random: () => number;
  readonly home: string;
  /** An agent directory in which one prompt was worked off. */
  readonly used: string;
  /** Milliseconds that a run takes. */
  readonly duration: number;
}

/**
 * Kills at moments spread over a run. Every third is in a new session, every third is followed by a second kill while the
 * prompt is resumed; then somebody resumes it, or sends the next one.
 */
export function randomMoments({ count, random, home, used, duration }: RandomMomentsOptions): readonly CrashCase[] {
  const moment = (part = 1): CrashKill => ({ at: "moment", milliseconds: Math.round(random() * duration * part) });
  return Array.from({ length: count }, (_, place) => {
    const isNew = place % 3 === 0;
    // The first prompt takes less time than the second.
    const first = moment(isNew ? 0.7 : 1);
    const second = moment();
    return {
      home,
      ...(isNew ? { task: "a" } : { task: "b", from: used }),
      kill: () => first,
      ...(place % 3 === 1 && { killNext: () => second }),
      next: place % 2 === 0 ? "resume" : "prompt",
    };
  });
}

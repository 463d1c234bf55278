import type { Clock } from "@mdx-ai/base";

/** Milliseconds since 1970; undefined if a question that waits this many seconds has none. */
export const deadlineOf = (seconds: number | undefined, clock: Pick<Clock, "now">): number | undefined =>
  seconds === undefined || seconds === Number.POSITIVE_INFINITY ? undefined : clock.now() + seconds * 1_000;

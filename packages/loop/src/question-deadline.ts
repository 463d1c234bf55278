import type { Clock } from "@mdx-ai/base";

/** The deadline of a question that waits this many seconds, in milliseconds since 1970; undefined if it waits forever. */
export const deadlineOf = (seconds: number | undefined, clock: Pick<Clock, "now">): number | undefined =>
  seconds === undefined || seconds === Number.POSITIVE_INFINITY ? undefined : clock.now() + seconds * 1_000;

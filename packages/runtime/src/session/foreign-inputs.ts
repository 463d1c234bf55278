import { queueLines } from "../history/segment-head.ts";
import type { LineMarks } from "../journal/line-marks.ts";
import type { Transcript } from "./transcript.ts";

/** The unfinished input of a session that programs of this user did not write. */
export interface ForeignInputs {
  /** Whether a line of the interrupted prompt is foreign. */
  readonly isInterrupted: boolean;
  /** The numbers of foreign inputs in the queue. */
  readonly queued: ReadonlySet<number>;
}

export const NOTHING_FOREIGN: ForeignInputs = { isInterrupted: false, queued: new Set() };

/** Compares the lines of unfinished input with their marks; without marks nothing is foreign. Pure. */
export function foreignInputs(
  { interrupted = [], queued, own }: Pick<Transcript, "interrupted" | "queued" | "own">,
  marks: LineMarks | undefined,
): ForeignInputs {
  if (marks === undefined) return NOTHING_FOREIGN;
  const isForeign = (number: number): boolean => !queueLines(own, new Set([number])).every(marks.isOwn);
  return {
    isInterrupted: !interrupted.every(marks.isOwn),
    queued: new Set(queued.map(({ number }) => number).filter(isForeign)),
  };
}

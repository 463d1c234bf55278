import type { JournalLine } from "../journal/journal-line.ts";
import { isRecord } from "../record.ts";
import { numberOf, queuedNumber } from "../step-names.ts";

/** An input that waits for its turn. */
export interface QueuedInput {
  /** In the session's queue; never given twice. */
  readonly number: number;
  readonly text: string;
}

/** Whether a value that came out of JSON is what is journaled of an input in the queue. */
export const isQueuedText = (value: unknown): value is { readonly text: string } =>
  isRecord(value) && typeof value["text"] === "string";

/** The inputs that were put into a session's queue, in their order, without those that were taken back or had their turn. */
export function queuedInputs(lines: readonly JournalLine[]): readonly QueuedInput[] {
  const waiting = new Map<number, QueuedInput>();
  for (const line of lines) {
    const number = line.prompt === 0 ? numberOf("queue", line.step) : undefined;
    if (number !== undefined && "result" in line && isQueuedText(line.result)) {
      waiting.set(number, { number, text: line.result.text });
    }
    const gone = line.prompt === 0 ? numberOf("unqueue", line.step) : queuedNumber(line.step);
    if (gone !== undefined) waiting.delete(gone);
  }
  return [...waiting.values()];
}

import { promptInput } from "../history/prompt-input.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isRecord } from "../record.ts";
import { numberOf } from "../step-names.ts";

/** An input that waits for its turn. */
export interface QueuedInput {
  /** In the session's queue; never given twice. */
  readonly number: number;
  readonly text: string;
  /** The prompt's id. */
  readonly id: string;
}

/** Whether a value that came out of JSON is what is journaled of an input in the queue. */
export const isQueuedText = (value: unknown): value is { readonly text: string; readonly id?: string } =>
  isRecord(value) &&
  typeof value["text"] === "string" &&
  (value["id"] === undefined || typeof value["id"] === "string");

/** The inputs that were put into a session's queue, in their order, without those that were taken back or had their turn. */
export function queuedInputs(lines: readonly JournalLine[]): readonly QueuedInput[] {
  const waiting = new Map<number, QueuedInput>();
  for (const line of lines) {
    const number = line.prompt === 0 ? numberOf("queue", line.step) : undefined;
    if (number !== undefined && "result" in line && isQueuedText(line.result)) {
      const { text, id = line.step } = line.result;
      waiting.set(number, { number, text, id });
    }
    const gone = line.prompt === 0 ? numberOf("unqueue", line.step) : promptInput(line)?.queued;
    if (gone !== undefined) waiting.delete(gone);
  }
  return [...waiting.values()];
}

import { promptInput } from "../history/prompt-input.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isRecord } from "../record.ts";
import { isQueuedText } from "../session/queued-inputs.ts";
import { numberOf } from "../step-names.ts";
import type { OwnLine } from "./own-line.ts";
import type { TraceQueued } from "./trace.ts";

/** What went through the queue of a session. */
interface QueueTrace {
  readonly queued: readonly TraceQueued[];
  /** The steps that it tells of. */
  readonly known: ReadonlySet<string>;
}

/** What the session's own lines, and those of its prompts, tell of its queue. */
export function queueTrace(own: readonly OwnLine[], lines: readonly JournalLine[]): QueueTrace {
  const inputs = own.flatMap(({ line, afterPrompt }) => {
    const number = numberOf("queue", line.step);
    if (number === undefined || !("result" in line) || !isQueuedText(line.result)) return [];
    const { text } = line.result;
    return [{ number, step: line.step, text, ...momentOf(line.result), afterPrompt }];
  });
  const numbers = new Set(inputs.map(({ number }) => number));
  const withdrawals = own.flatMap(({ line: { step } }) => {
    const number = numberOf("unqueue", step);
    return number !== undefined && numbers.has(number) ? [{ number, step }] : [];
  });
  const withdrawn = new Set(withdrawals.map(({ number }) => number));
  const prompts = new Map(lines.map((line) => [promptInput(line)?.queued, line.prompt]));
  return {
    queued: inputs.map(({ number, ...input }) => ({ ...input, ...fate(prompts.get(number), withdrawn.has(number)) })),
    known: new Set([...inputs, ...withdrawals].map(({ step }) => step)),
  };
}

function momentOf(result: unknown): Pick<TraceQueued, "at"> {
  const at = isRecord(result) ? result["at"] : undefined;
  return typeof at === "number" ? { at } : {};
}

function fate(prompt: number | undefined, isWithdrawn: boolean): Pick<TraceQueued, "state" | "prompt"> {
  if (prompt !== undefined) return { state: "taken", prompt };
  return { state: isWithdrawn ? "withdrawn" : "waiting" };
}

import { unreadable } from "../http/broken-answer.ts";
import { isRecord, listOf, recordOf, type UnknownRecord } from "../record.ts";

/** The parts of one answer, one after the other. */
export interface PartSource {
  /** Waits for the next part; undefined where there are no more. */
  next(): Promise<{ readonly part: unknown } | undefined>;
  /** Breaks off; a wait for the next part ends. Never throws. */
  cancel(): void;
  /** To be called when no more parts are wanted. Never throws. */
  leave(): void;
}

/** What is needed of a stream's reader; the platform's types of it disagree with each other. */
interface StreamReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(): Promise<void>;
}

/** How long a stream may stay open after its last part, in milliseconds. */
const longestGoodbye = 1000;

/** The parts of what `doStream` gave. Throws `ModelError` where that is no stream. */
export function streamParts(result: unknown): PartSource {
  const stream = recordOf(result)["stream"];
  if (!isStream(stream)) throw unreadable("the provider gave no stream");
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? undefined : { part: value };
    },
    cancel,
    leave: () => void readOut(reader, cancel),
  };
}

/** The parts of what `doGenerate` gave, as if it had streamed. Throws `ModelError` where that is no answer. */
export function documentParts(result: unknown): PartSource {
  const { content, finishReason, usage } = recordOf(result);
  if (!Array.isArray(content)) throw unreadable("the provider gave no answer");
  const parts = [...listOf(content).flatMap(blockParts), { type: "finish", finishReason, usage }];
  return { next: async () => ({ part: parts.shift() }), cancel: () => {}, leave: () => {} };
}

function isStream(value: unknown): value is { getReader(): StreamReader } {
  return isRecord(value) && typeof value["getReader"] === "function";
}

/** Reads out what is left, so that the connection serves the next turn. Never rejects. */
async function readOut(reader: StreamReader, cancel: () => void): Promise<void> {
  const timer = setTimeout(cancel, longestGoodbye);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is whole already.
  }
  clearTimeout(timer);
}

/** A whole text or thought by the parts in which it would have streamed; what is anything else stays as it is. */
function blockParts(value: unknown, place: number): readonly UnknownRecord[] {
  const block = recordOf(value);
  const { type, text, ...rest } = block;
  if (type !== "text" && type !== "reasoning") return [block];
  const id = String(place);
  return [
    { ...rest, type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id },
  ];
}

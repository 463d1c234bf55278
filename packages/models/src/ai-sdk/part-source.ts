import { isRecord, listOf, recordOf, type UnknownRecord } from "@mdx-ai/base";
import { unreadable } from "../errors.ts";
import { readOut, type StreamReader } from "../http/answer-reader.ts";

/** The parts of one answer, in order. */
export interface PartSource {
  /** Waits for the next part; undefined after the last one. */
  next(): Promise<{ readonly part: unknown } | undefined>;
  /** Aborts; ends a pending `next`. Never throws. */
  cancel(): void;
  /** Call it when no more parts are needed. Never throws. */
  leave(): void;
}

/** The parts of a `doStream` result. Throws `ModelError` if it is not a stream. */
export function streamParts(result: unknown): PartSource {
  const stream = recordOf(result)["stream"];
  if (!isStream(stream)) throw unreadable("the provider returned no stream");
  const reader = stream.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? undefined : { part: value };
    },
    cancel: () => void reader.cancel().catch(() => {}),
    leave: () => void readOut(reader),
  };
}

/** The parts of a `doGenerate` result, as if streamed. Throws `ModelError` if it is not an answer. */
export function documentParts(result: unknown): PartSource {
  const { content, finishReason, usage, response } = recordOf(result);
  if (!Array.isArray(content)) throw unreadable("the provider returned no answer");
  const metadata = { ...recordOf(response), type: "response-metadata" };
  const parts = [metadata, ...listOf(content).flatMap(blockParts), { type: "finish", finishReason, usage }];
  return { next: async () => ({ part: parts.shift() }), cancel: () => {}, leave: () => {} };
}

function isStream(value: unknown): value is { getReader(): StreamReader<unknown> } {
  return isRecord(value) && typeof value["getReader"] === "function";
}

/** Splits a whole text or thought into the parts of a stream; other values are unchanged. */
function blockParts(value: unknown, index: number): readonly UnknownRecord[] {
  const block = recordOf(value);
  const { type, text, ...rest } = block;
  if (type !== "text" && type !== "reasoning") return [block];
  const id = String(index);
  return [
    { ...rest, type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id },
  ];
}

import { isRecord, listOf, recordOf, type UnknownRecord } from "@mdx-ai/base";
import { unreadable } from "../errors.ts";
import { readOut, type StreamReader } from "../http/answer-reader.ts";

/** The parts of one answer, one after the other. */
export interface PartSource {
  /** Waits for the next part; undefined after the last one. */
  next(): Promise<{ readonly part: unknown } | undefined>;
  /** Breaks off; a wait for the next part ends. Never throws. */
  cancel(): void;
  /** To be called when no more parts are wanted. Never throws. */
  leave(): void;
}

/** The parts of what `doStream` returned. Throws `ModelError` if that is not a stream. */
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

/** The parts of what `doGenerate` returned, as if it had streamed. Throws `ModelError` if that is not an answer. */
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

/** A whole text or thought by the parts in which it would have streamed; anything else stays unchanged. */
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

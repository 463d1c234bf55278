import type { FinishReason } from "../message-builder.ts";
import { isRecord } from "../record.ts";

/** How an answer ended by the provider's word; "broken" where it has none for an end, "failed" where the model failed. */
export type Finish = FinishReason | "broken" | "failed";

const unifiedReasons: ReadonlyMap<unknown, Finish> = new Map<unknown, Finish>([
  ["stop", "stop"],
  ["length", "length"],
  ["content-filter", "refusal"],
  ["tool-calls", "toolUse"],
  ["error", "failed"],
  ["interrupted", "broken"],
]);

/** Reasons of providers that the interface has no word for. */
const rawReasons: ReadonlyMap<unknown, Finish> = new Map<unknown, Finish>([
  ["pause_turn", "pause"],
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "contextExceeded"],
]);

/**
 * Reads a finish reason: a word in version 2, since then a word with the provider's own one. Providers say "other", or
 * "unknown", without a reason of their own where a stream ended and none had come: such an answer is broken. One that came
 * as a whole is not.
 */
export function finishOf(value: unknown, kind: "stream" | "document"): Finish {
  const { unified, raw } = isRecord(value) ? value : { unified: value, raw: undefined };
  const known = rawReasons.get(raw) ?? unifiedReasons.get(unified);
  if (known !== undefined) return known;
  return kind === "stream" && raw === undefined ? "broken" : "stop";
}

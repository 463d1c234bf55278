import { unreadable } from "../http/broken-answer.ts";
import type { MessageBuilder } from "../message-builder.ts";
import { recordOf } from "../record.ts";
import { StreamEvents } from "./stream-events.ts";

/** Reads an answer that did not stream, by the events that it would have streamed. Throws `ModelError`. */
export function readAnswer(answer: unknown, builder: MessageBuilder): void {
  const message = recordOf(answer);
  const events = new StreamEvents(builder);
  const { model, content, stop_reason, usage, error } = message;
  if (message["type"] === "error" || error) events.take({ type: "error", error });
  if (!Array.isArray(content)) throw unreadable("anthropic sent a document that is no message");
  events.take({ type: "message_start", message: { model, usage } });
  for (const [index, block] of content.entries()) {
    events.take({ type: "content_block_start", index, content_block: block });
    events.take({ type: "content_block_stop", index });
  }
  events.take({ type: "message_delta", delta: { stop_reason }, usage });
  events.take({ type: "message_stop" });
}

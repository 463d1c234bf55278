import type { AgentEvent } from "./types/event.ts";

/** An event for a wire: an update without the copies of its whole message, which grows with each one. */
export function withoutCopies(event: AgentEvent): unknown {
  if (event.type !== "message_update") return event;
  const { partial: _copy, ...assistantMessageEvent } = event.assistantMessageEvent;
  const { type, step, index } = event;
  return { type, step, index, assistantMessageEvent };
}

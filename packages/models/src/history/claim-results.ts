import type { Message, ToolCall, ToolResultMessage } from "../types/message.ts";

/**
 * The result of each call among the messages that follow their answer, in the order of the calls. A result answers one
 * call alone; undefined where a call has none: it has run, or not, and nobody knows.
 */
export function claimResults(
  calls: Iterable<ToolCall>,
  followers: readonly Message[],
): readonly (ToolResultMessage | undefined)[] {
  const unclaimed = followers.filter((message) => message.role === "toolResult");
  return Array.from(calls, ({ id }) => {
    const place = unclaimed.findIndex(({ toolCallId }) => toolCallId === id);
    return place < 0 ? undefined : unclaimed.splice(place, 1)[0];
  });
}

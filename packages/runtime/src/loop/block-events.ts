import type { AssistantContent, AssistantMessage } from "@mdx-ai/models";
import type { AssistantMessageEvent } from "../types/event.ts";

/** The updates of a message that is known already: each block whole, in one event. */
export const blockEvents = (message: AssistantMessage): AssistantMessageEvent[] =>
  message.content.map((block, contentIndex) => blockEvent(block, contentIndex, message));

function blockEvent(block: AssistantContent, contentIndex: number, partial: AssistantMessage): AssistantMessageEvent {
  switch (block.type) {
    case "text":
      return { type: "text_end", contentIndex, content: block.text, partial };
    case "thinking":
      return { type: "thinking_end", contentIndex, content: block.thinking, partial };
    case "toolCall":
      return { type: "toolcall_end", contentIndex, toolCall: block, partial };
  }
}

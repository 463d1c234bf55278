import type { AssistantContent, AssistantMessage } from "@mdx-ai/models";
import type { AssistantMessageEvent } from "../types/event.ts";

/** The updates of a message that is known already: each block whole, in one event. */
export const blockEvents = (message: AssistantMessage): AssistantMessageEvent[] =>
  message.content.map((block, index) => blockEvent(block, index, message));

function blockEvent(block: AssistantContent, index: number, partial: AssistantMessage): AssistantMessageEvent {
  switch (block.type) {
    case "text":
      return { type: "text_end", index, text: block.text, partial };
    case "thinking":
      return { type: "thinking_end", index, thinking: block.thinking, partial };
    case "toolCall":
      return { type: "toolcall_end", index, toolCall: block, partial };
  }
}

import { brokeOff } from "../history/broke-off.ts";
import type { AssistantContent, AssistantMessage } from "../types/message.ts";
import type { RefusedThinking } from "./refused-thinking.ts";

/**
 * What of an answer goes back to Anthropic. Of one that broke off, only its text: its thinking and its calls may be half.
 * Thinking goes back where Anthropic signed it and has not refused it, and never as the last block, which the API refuses.
 */
export function sentContent(message: AssistantMessage, refused: RefusedThinking): readonly AssistantContent[] {
  const accepts = brokeOff(message) ? isFullText : message.provider === "anthropic" ? isSendable : isPortable;
  const content = message.content.filter(
    (block) => accepts(block) && !(block.type === "thinking" && refused.has(block)),
  );
  return content.slice(0, content.findLastIndex((block) => block.type !== "thinking") + 1);
}

function isFullText(block: AssistantContent): boolean {
  return block.type === "text" && block.text.trim() !== "";
}

/** Whether a block that another provider made can be sent. */
function isPortable(block: AssistantContent): boolean {
  return block.type === "toolCall" || isFullText(block);
}

function isSendable(block: AssistantContent): boolean {
  if (block.type === "thinking") return block.signature !== undefined || block.redacted !== undefined;
  return isPortable(block);
}

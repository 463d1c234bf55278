import { brokeOff } from "../history/broke-off.ts";
import type { AssistantContent, AssistantMessage, TextContent } from "../types/message.ts";

/**
 * What of an answer goes back to a provider. Of one that broke off, only its text: its thinking and its calls may be half.
 * What another provider made goes without its thinking and without all signatures. Thinking is never the last block,
 * which some refuse.
 */
export function sentContent(message: AssistantMessage, provider: string): readonly AssistantContent[] {
  if (brokeOff(message)) return message.content.filter(isText).map(unsigned).filter(saysSomething);
  const content = message.provider === provider ? message.content : message.content.filter(isPortable).map(unsigned);
  const sent = content.filter(saysSomething);
  return sent.slice(0, sent.findLastIndex((block) => block.type !== "thinking") + 1);
}

function isText(block: AssistantContent): block is TextContent {
  return block.type === "text";
}

function isPortable(block: AssistantContent): boolean {
  return block.type !== "thinking";
}

function unsigned(block: AssistantContent): AssistantContent {
  const { signature: _, ...rest } = block;
  return rest;
}

/** A signature may stand on a block without text. */
function saysSomething(block: AssistantContent): boolean {
  switch (block.type) {
    case "text":
      return block.text.trim() !== "" || block.signature !== undefined;
    case "thinking":
      return block.thinking.trim() !== "" || block.signature !== undefined;
    case "toolCall":
      return true;
  }
}

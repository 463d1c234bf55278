import type { GetPromptResult } from "@modelcontextprotocol/client";
import { boundedContent } from "./bounded-content.ts";
import { readBlock } from "./read-content.ts";

/** The messages of a prompt as one text. Those of the assistant, if there are several speakers, are named. */
export function promptText(messages: GetPromptResult["messages"]): string {
  const isDialogue = messages.some(({ role }) => role === "assistant");
  const parts = messages.map(({ role, content }) => {
    const [part] = boundedContent([readBlock(content)]);
    const text = part?.type === "text" ? part.text : `[An image of the type ${part?.mimeType}]`;
    return isDialogue ? `${role === "assistant" ? "Assistant" : "User"}: ${text}` : text;
  });
  return parts.join("\n\n");
}

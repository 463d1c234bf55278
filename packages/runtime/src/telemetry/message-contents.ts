import type { AssistantContent, AssistantMessage, ImageContent, Message, TextContent } from "@mdx-ai/models";
import { finishReason } from "./span-attributes.ts";

/** A part of a message in the form of the conventions. */
type Part = Readonly<Record<string, unknown>>;

/** Messages to a model, as the JSON of `gen_ai.input.messages`. */
export const inputMessages = (messages: readonly Message[]): string => JSON.stringify(messages.map(inputMessage));

/** A model's answer, as the JSON of `gen_ai.output.messages`. */
export const outputMessages = (message: AssistantMessage): string =>
  JSON.stringify([{ ...inputMessage(message), finish_reason: finishReason(message.stopReason) }]);

/** A system prompt, as the JSON of `gen_ai.system_instructions`. */
export const systemInstructions = (system: string): string => JSON.stringify([textPart(system)]);

/** The result of a tool as text, with a mark in place of each image. */
export const resultText = (content: readonly (TextContent | ImageContent)[]): string =>
  content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("");

function inputMessage(message: Message): { readonly role: string; readonly parts: readonly Part[] } {
  switch (message.role) {
    case "user":
      return { role: "user", parts: message.content.map(userPart) };
    case "assistant":
      return { role: "assistant", parts: message.content.flatMap(answerParts) };
    case "toolResult": {
      const { toolCallId: id, content } = message;
      return { role: "tool", parts: [{ type: "tool_call_response", id, response: resultText(content) }] };
    }
  }
}

const textPart = (content: string): Part => ({ type: "text", content });

/** Images are mentioned only: they are larger than most collectors accept. */
const userPart = (block: TextContent | ImageContent): Part =>
  block.type === "text" ? textPart(block.text) : { type: "image", mime_type: block.mimeType };

function answerParts(block: AssistantContent): readonly Part[] {
  switch (block.type) {
    case "text":
      return [textPart(block.text)];
    case "thinking":
      return block.thinking === "" ? [] : [{ type: "reasoning", content: block.thinking }];
    case "toolCall": {
      const { id, name, malformed, arguments: args } = block;
      return [{ type: "tool_call", id, name, arguments: malformed ?? args }];
    }
  }
}

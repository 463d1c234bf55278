import { RefusedThinking } from "../history/refused-thinking.ts";
import { type SentCall, SentHistory, type SentTurn } from "../history/sent-history.ts";
import {
  addMessage,
  cleanId,
  emptyInput,
  freeId,
  numberedId,
  portableContent,
  saysSomething,
  sentName,
  unknownOutcome,
  withoutLastThinking,
} from "../history/sent-parts.ts";
import type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ThinkingContent,
  UserMessage,
} from "../types/message.ts";
import { thinkingRefusal } from "./thinking-refusal.ts";
import type { WireBlock, WireImage, WireMessage, WireText, WireToolResult } from "./wire-types.ts";

/**
 * Converts histories to what Anthropic accepts: roles alternate, every tool use is answered in the very next message,
 * results come first there, no text is empty, and thinking goes back if Anthropic signed it and has not refused it.
 */
export class WireHistory {
  readonly #refused = new RefusedThinking(thinkingRefusal);
  readonly #history = new SentHistory<WireMessage>({
    content: (answer) => this.#content(answer),
    id: (call, _, taken) => freeId(numberedId(cleanId(call.id)), taken),
    add: addTurn,
  });

  of(messages: readonly Message[]): readonly WireMessage[] {
    return this.#history.of(messages);
  }

  /** The failure of a request with this body, as the caller should get it; refused thinking is sent no more. */
  learn(error: unknown, body: string): unknown {
    const learnt = this.#refused.learn(error, body);
    if (learnt !== error) this.#history.forget();
    return learnt;
  }

  #content(answer: AssistantMessage): readonly AssistantContent[] {
    const isSent = (block: AssistantContent): boolean =>
      block.type === "thinking" ? isSigned(block) && !this.#refused.has(markOf(block)) : saysSomething(block);
    return withoutLastThinking(portableContent(answer, "anthropic").filter(isSent));
  }
}

/** What Anthropic signed with, or encrypted. */
const markOf = ({ redacted, signature = "" }: ThinkingContent): string => redacted ?? signature;

const isSigned = ({ signature, redacted }: { readonly signature?: string; readonly redacted?: string }): boolean =>
  signature !== undefined || redacted !== undefined;

function addTurn(wire: WireMessage[], { content, ids, calls, inputs }: SentTurn): void {
  addMessage(wire, { role: "assistant", content: content.map((block) => assistantBlock(block, ids)) });
  addMessage(wire, { role: "user", content: [...calls.map(toolResult), ...inputs.flatMap(inputBlocks)] });
}

function assistantBlock(block: AssistantContent, ids: SentTurn["ids"]): WireBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return block.redacted === undefined
        ? { type: "thinking", thinking: block.thinking, signature: block.signature ?? "" }
        : { type: "redacted_thinking", data: block.redacted };
    case "toolCall":
      return { type: "tool_use", id: ids.get(block) ?? block.id, name: sentName(block.name), input: block.arguments };
  }
}

function toolResult({ id, result }: SentCall): WireToolResult {
  if (result === undefined) return failedResult(id, unknownOutcome);
  const content = userBlocks(result.content);
  if (content.length === 0) {
    return result.isError ? failedResult(id, "failed without a message") : { type: "tool_result", tool_use_id: id };
  }
  const block = { type: "tool_result", tool_use_id: id, content } as const;
  return result.isError ? { ...block, is_error: true } : block;
}

const failedResult = (id: string, text: string): WireToolResult => ({
  type: "tool_result",
  tool_use_id: id,
  content: [{ type: "text", text }],
  is_error: true,
});

/** An empty message is still sent: without it the roles would not alternate. */
function inputBlocks({ content }: UserMessage): readonly WireBlock[] {
  const blocks = userBlocks(content);
  return blocks.length === 0 ? [{ type: "text", text: emptyInput }] : blocks;
}

const userBlocks = (content: readonly (TextContent | ImageContent)[]): readonly (WireText | WireImage)[] =>
  content
    .filter(saysSomething)
    .map((block) =>
      block.type === "text"
        ? { type: "text", text: block.text }
        : { type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } },
    );

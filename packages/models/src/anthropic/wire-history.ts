import type {
  Base64ImageSource,
  ImageBlockParam,
  RedactedThinkingBlockParam,
  TextBlockParam,
  ThinkingBlockParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import { type JsonObject, listOf, recordOf, type UnknownRecord } from "@mdx-ai/base";
import { sentSearch } from "../history/provider-search.ts";
import type { SentCall, SentTurn } from "../history/sent-history.ts";
import {
  addMessage,
  cleanId,
  emptyInput,
  freeId,
  numberedId,
  type Sent,
  saysSomething,
  sentName,
  unknownOutcome,
} from "../history/sent-parts.ts";
import { ThinkingHistory } from "../history/thinking-history.ts";
import type { AssistantContent, ImageContent, TextContent, UserMessage } from "../types/message.ts";

export type WireText = Sent<TextBlockParam>;

/** The API decides which media types it accepts. */
type WireSource = Sent<Omit<Base64ImageSource, "media_type">> & { readonly media_type: string };

type WireImage = Sent<Omit<ImageBlockParam, "source">> & { readonly source: WireSource };

type WireToolResult = Sent<Omit<ToolResultBlockParam, "content">> & {
  readonly content?: readonly (WireText | WireImage)[];
};

export type WireBlock =
  | WireText
  | WireImage
  | WireToolResult
  | Sent<ThinkingBlockParam>
  | Sent<RedactedThinkingBlockParam>
  | Sent<ToolUseBlockParam>
  | JsonObject;

export interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly WireBlock[];
}

export type WireHistory = ThinkingHistory<WireMessage>;

/**
 * Converts histories for Anthropic: roles alternate, every tool use is answered in the next message, results come first there, and thinking
 * is sent back if Anthropic signed or encrypted it.
 */
export const wireHistory = (): WireHistory =>
  new ThinkingHistory({
    vendor: "anthropic",
    id: (call, _, taken) => freeId(numberedId(cleanId(call.id)), taken),
    add: addTurn,
    markOf: ({ redacted, signature }) => redacted ?? signature,
    isRefusal: ({ said }) => REFUSAL.test(said),
    marksIn,
  });

/**
 * The API's error for rejected thinking. From 5.1 on, models bind thinking to everything before it: it becomes invalid with another system
 * prompt, other tools or a compaction.
 */
const REFUSAL =
  /bound to a different conversation|`?(?:signature|data)`? in `?(?:redacted_)?thinking|`redacted_thinking` blocks .*cannot be modified/;

const marksIn = ({ messages }: UnknownRecord): readonly string[] =>
  listOf(messages)
    .flatMap((message) => listOf(recordOf(message)["content"]))
    .map(recordOf)
    .filter(({ type }) => type === "thinking" || type === "redacted_thinking")
    .map(({ signature, data }) => String(data ?? signature));

function addTurn(wire: WireMessage[], { content, ids, calls, inputs }: SentTurn): void {
  addMessage(wire, { role: "assistant", content: content.map((block) => assistantBlock(block, ids)) });
  const results = [...calls.map(toolResult), ...calls.flatMap(imagesOfError)];
  addMessage(wire, { role: "user", content: [...results, ...inputs.flatMap(inputBlocks)] });
}

function assistantBlock(block: AssistantContent, ids: SentTurn["ids"]): WireBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking": {
      const search = sentSearch(block);
      if (search !== undefined) return search;
      return block.redacted === undefined
        ? { type: "thinking", thinking: block.thinking, signature: block.signature ?? "" }
        : { type: "redacted_thinking", data: block.redacted };
    }
    case "toolCall":
      return { type: "tool_use", id: ids.get(block) ?? block.id, name: sentName(block.name), input: block.arguments };
  }
}

function toolResult({ id, result }: SentCall): WireToolResult {
  if (result === undefined) return failedResult(id, unknownOutcome);
  const content = userBlocks(result.content);
  if (result.isError) {
    const texts = content.filter((block) => block.type === "text");
    return texts.length === 0
      ? failedResult(id, "failed without a message")
      : { type: "tool_result", tool_use_id: id, content: texts, is_error: true };
  }
  return content.length === 0
    ? { type: "tool_result", tool_use_id: id }
    : { type: "tool_result", tool_use_id: id, content };
}

/** The images of a failed tool, which follow all results: the API accepts only text in an error result. */
function imagesOfError({ result }: SentCall): readonly (WireText | WireImage)[] {
  if (!result?.isError) return [];
  const images = userBlocks(result.content).filter(({ type }) => type === "image");
  return images.length === 0 ? [] : [{ type: "text", text: `From the tool ${result.toolName}:` }, ...images];
}

const failedResult = (id: string, text: string): WireToolResult => ({
  type: "tool_result",
  tool_use_id: id,
  content: [{ type: "text", text }],
  is_error: true,
});

/** An empty message is still sent, so that roles alternate. */
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

import type { JsonObject } from "@mdx-ai/base";
import type { ArgumentPieces } from "./call-arguments.ts";
import type { RestoreArguments } from "./schemas/tool-schemas.ts";
import type { ModelEvent } from "./types/language-model.ts";
import type { AssistantMessage, TextContent, ThinkingContent, ToolCall } from "./types/message.ts";

export type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

interface GrowingBlock<Type extends string, Content> {
  readonly type: Type;
  readonly index: number;
  readonly content: Mutable<Content>;
}

type TextBlock = GrowingBlock<"text", TextContent>;
type ThinkingBlock = GrowingBlock<"thinking", ThinkingContent>;

interface ToolCallBlock extends GrowingBlock<"toolCall", ToolCall> {
  /** The arguments so far. */
  readonly pieces: ArgumentPieces;
  /** Converts the arguments if they differ from what the model sent. Their text is then kept until it is complete. */
  readonly restore: RestoreArguments | undefined;
}

/** A block of a message under construction; a handle for the methods of `MessageBuilder`. */
export type Block = TextBlock | ThinkingBlock | ToolCallBlock;

const startTypes = { text: "text_start", thinking: "thinking_start", toolCall: "toolcall_start" } as const;
const deltaTypes = { text: "text_delta", thinking: "thinking_delta", toolCall: "toolcall_delta" } as const;

/** The event for the start of a block. */
export const startEvent = ({ type, index }: Block, partial: AssistantMessage): ModelEvent => ({
  type: startTypes[type],
  contentIndex: index,
  partial,
});

/** Appends text, thinking or a piece of arguments to a block. */
export function grow(block: Block, delta: string, partial: AssistantMessage): ModelEvent {
  switch (block.type) {
    case "text":
      block.content.text += delta;
      break;
    case "thinking":
      block.content.thinking += delta;
      break;
    case "toolCall":
  }
  return { type: deltaTypes[block.type], contentIndex: block.index, delta, partial };
}

/** Ends a block. Converted arguments become a single delta. */
export function end(block: Block, partial: AssistantMessage): readonly ModelEvent[] {
  const { index: contentIndex } = block;
  switch (block.type) {
    case "text":
      return [{ type: "text_end", contentIndex, content: block.content.text, partial }];
    case "thinking":
      return [{ type: "thinking_end", contentIndex, content: block.content.thinking, partial }];
    case "toolCall":
      return [
        ...endOfArguments(block, partial),
        { type: "toolcall_end", contentIndex, toolCall: block.content, partial },
      ];
  }
}

function endOfArguments(block: ToolCallBlock, partial: AssistantMessage): readonly ModelEvent[] {
  const { content, restore, index: contentIndex, pieces } = block;
  // Empty text is an empty object.
  const parsed = pieces.text.trim() === "" ? content.arguments : pieces.read();
  settleArguments(block, parsed && (restore?.(parsed) ?? parsed));
  if (restore === undefined || pieces.text === "") return [];
  const delta = content.malformed ?? JSON.stringify(content.arguments);
  return [{ type: "toolcall_delta", contentIndex, delta, partial }];
}

/** Ends a block that was cut off. A call with incomplete arguments is malformed. */
export function cutOff(block: Block): void {
  if (block.type === "toolCall") settleArguments(block, undefined);
}

function settleArguments({ content, pieces }: ToolCallBlock, parsed: JsonObject | undefined): void {
  content.arguments = parsed ?? {};
  if (parsed === undefined) content.malformed = pieces.text;
}

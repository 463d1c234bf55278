import type { JsonObject } from "../types/json.ts";

/** Marks the end of a prefix that Anthropic may cache; at most four in a request. */
interface Cacheable {
  readonly cache_control?: { readonly type: "ephemeral" };
}

export interface WireText extends Cacheable {
  readonly type: "text";
  readonly text: string;
}

export interface WireImage extends Cacheable {
  readonly type: "image";
  readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string };
}

export interface WireToolResult extends Cacheable {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: readonly (WireText | WireImage)[];
  readonly is_error?: true;
}

export type WireUserBlock = WireText | WireImage | WireToolResult;

interface WireToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

type WireThinking =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string };

export type WireAssistantBlock = WireText | WireThinking | WireToolUse;

export type WireMessage =
  | { readonly role: "user"; readonly content: readonly WireUserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly WireAssistantBlock[] };

export interface WireTool extends Cacheable {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

/** Whether and how a model thinks. */
export type WireThinkingMode =
  | { readonly type: "adaptive" | "disabled" }
  | { readonly type: "enabled"; readonly budget_tokens: number };

/** The body of `POST /v1/messages`. */
export interface WireRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: true;
  readonly thinking?: WireThinkingMode;
  readonly output_config?: { readonly effort: string };
  readonly temperature?: number;
  readonly tools?: readonly WireTool[];
  readonly system?: readonly WireText[];
  readonly messages: readonly WireMessage[];
}

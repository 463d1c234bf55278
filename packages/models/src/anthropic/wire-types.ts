import type {
  Base64ImageSource,
  ImageBlockParam,
  MessageCreateParams,
  RedactedThinkingBlockParam,
  TextBlockParam,
  ThinkingBlockParam,
  Tool,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { Sent } from "../types/sent.ts";

export type WireText = Sent<TextBlockParam>;

/** Which media are accepted is for the API to say. */
type WireSource = Sent<Omit<Base64ImageSource, "media_type">> & { readonly media_type: string };

export type WireImage = Sent<Omit<ImageBlockParam, "source">> & { readonly source: WireSource };

export type WireToolResult = Sent<Omit<ToolResultBlockParam, "content">> & {
  readonly content?: readonly (WireText | WireImage)[];
};

export type WireBlock =
  | WireText
  | WireImage
  | WireToolResult
  | Sent<ThinkingBlockParam>
  | Sent<RedactedThinkingBlockParam>
  | Sent<ToolUseBlockParam>;

export interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly WireBlock[];
}

export type WireTool = Sent<Omit<Tool, "input_schema">> & { readonly input_schema: object };

export type WireThinking = Sent<NonNullable<MessageCreateParams["thinking"]>>;

/** The body of `POST /v1/messages`. An effort is in the user's words. */
export interface WireRequest extends Pick<MessageCreateParams, "model" | "max_tokens"> {
  readonly stream?: true;
  readonly temperature?: number;
  readonly thinking?: WireThinking;
  readonly output_config?: { readonly effort: string };
  readonly tools?: readonly WireTool[];
  readonly system?: readonly WireText[];
  readonly messages: readonly WireMessage[];
}

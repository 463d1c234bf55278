import type { JsonObject, JsonValue } from "@mdx-ai/base";

/** Tokens of one model call; all counts are whole numbers. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Part of `output` that was spent on thinking. */
  readonly thinking: number;
  /** Set if the provider sent no counts, so that these are an estimate of ours. */
  readonly estimated?: true;
}

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  /** In an answer: what the provider wants back with the text, byte for byte. */
  readonly signature?: string;
}

export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** What a model thought. It goes back to its provider byte for byte, so it keeps `signature` and `redacted`. */
export interface ThinkingContent {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature?: string;
  /** The provider's encrypted block; `thinking` is then empty. */
  readonly redacted?: string;
}

export interface ToolCall {
  readonly type: "toolCall";
  /** No other call of the same message has it. */
  readonly id: string;
  /** The wire name. */
  readonly name: string;
  readonly arguments: JsonObject;
  /** The text of the arguments if it is not a usable JSON object; `arguments` is then empty and the call must not run. */
  readonly malformed?: string;
  /** What the provider wants back with the call, byte for byte. */
  readonly signature?: string;
}

export type AssistantContent = TextContent | ThinkingContent | ToolCall;

/**
 * Why a model stopped. `length`: its output limit; `pause`: send again as it is; `contextExceeded`: the window is full;
 * `aborted` and `error`: the message holds what had arrived until then.
 */
export type StopReason = "stop" | "toolUse" | "length" | "pause" | "refusal" | "contextExceeded" | "aborted" | "error";

/** What is known about why an answer broke off or never arrived. */
export interface ModelFailure {
  /** HTTP status; absent if the failure has none, such as one in mid-stream. */
  readonly status?: number;
  /** The provider's name of the kind of failure, such as "overloaded_error", or one of ours, such as "silence". */
  readonly kind?: string;
  /** Whether the same request may succeed a little later. */
  readonly isTransient: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
  /**
   * What the model has learned from the refusal, for the user, such as that a field is left out from now on. The same request
   * is worth another attempt at once, which is no retry.
   */
  readonly adapted?: string;
}

/** Timestamps of messages are milliseconds since 1970. */
export interface UserMessage {
  readonly role: "user";
  readonly content: readonly (TextContent | ImageContent)[];
  readonly timestamp: number;
  /** Who wrote it, if not the user. Never sent to a model. */
  readonly origin?: "module" | "mode" | "skill";
  /** What the user typed, if a command of theirs made the text, such as `/mcp:SERVER:PROMPT`. Never sent to a model. */
  readonly typed?: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantContent[];
  readonly provider: string;
  readonly model: string;
  /** The model that answered, if the provider names another one than was asked, such as the version behind an alias. */
  readonly responseModel?: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  /** With `error` and `aborted`, with `contextExceeded` if there is no answer at all, and with `refusal` if the provider explains it. */
  readonly errorMessage?: string;
  /** What the user should know of an answer that ended well, such as that it stopped for a reason that nobody knows. */
  readonly warning?: string;
  /** With `error`. */
  readonly failure?: ModelFailure;
  /** Milliseconds from the request to the end of the answer. */
  readonly latency?: number;
  /** US dollars, by the prices known at the time of the request; absent if they were unknown. */
  readonly cost?: number;
  readonly timestamp: number;
}

export interface ToolResultMessage {
  readonly role: "toolResult";
  readonly toolCallId: string;
  /** The wire name. */
  readonly toolName: string;
  readonly content: readonly (TextContent | ImageContent)[];
  /** For user interfaces and logs; never sent to a model. */
  readonly details?: JsonValue;
  readonly isError: boolean;
  readonly timestamp: number;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

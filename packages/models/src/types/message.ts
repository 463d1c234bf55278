import type { JsonObject, JsonValue } from "@mdx-ai/base";

/** Tokens of one model call; all counts are integers. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `output` used for thinking. */
  readonly thinking: number;
  /** Input, cached input included, and output. */
  readonly total: number;
  /** Set if the provider sent no counts and these are estimated. */
  readonly estimated?: true;
}

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  /** In an answer: the provider's data to send back with the text, byte for byte. */
  readonly signature?: string;
}

export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/**
 * A model's thinking, or a search of its provider. It is sent back to its provider byte for byte, with `signature` and `redacted`. The
 * signature of a search is the provider's block as JSON.
 */
export interface ThinkingContent {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature?: string;
  /** The provider's encrypted block; `thinking` is then empty. */
  readonly redacted?: string;
}

export interface ToolCall {
  readonly type: "toolCall";
  /** Unique in its message. */
  readonly id: string;
  /** The wire name. */
  readonly name: string;
  readonly arguments: JsonObject;
  /** The text of the arguments if it is not a JSON object; `arguments` is then empty and the call must not run. */
  readonly malformed?: string;
  /** The provider's data to send back with the call, byte for byte. */
  readonly signature?: string;
}

export type AssistantContent = TextContent | ThinkingContent | ToolCall;

/**
 * Why a model stopped. `length`: its output limit; `pause`: send the history again; `contextExceeded`: the window is full; `aborted` and
 * `error`: the message contains what had arrived.
 */
export type StopReason = "stop" | "toolUse" | "length" | "pause" | "refusal" | "contextExceeded" | "aborted" | "error";

/** Why an answer broke off or never arrived. */
export interface ModelFailure {
  /** HTTP status; absent without one, for example in mid-stream. */
  readonly status?: number;
  /** The kind of failure: the provider's name, such as "overloaded_error", or one of ours, such as "silence". */
  readonly kind?: string;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
  /**
   * What the model learned from the refusal, for the user, such as that a field is omitted from now on. The same request should be sent
   * again at once, which does not count as a retry.
   */
  readonly adapted?: string;
}

/** Timestamps of messages are milliseconds since 1970. */
export interface UserMessage {
  readonly role: "user";
  readonly content: readonly (TextContent | ImageContent)[];
  readonly timestamp: number;
  /** The author, if not the user. Never sent to a model. */
  readonly origin?: "module" | "mode" | "skill" | "agent";
  /** What the user typed, if a command such as `/mcp:SERVER:PROMPT` produced the text. Never sent to a model. */
  readonly typed?: string;
  /** What the agent cost whose result this is. Never sent to a model. */
  readonly cost?: Cost;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantContent[];
  readonly provider: string;
  readonly model: string;
  /** The answering model, if the provider names another than requested, such as the version behind an alias. */
  readonly responseModel?: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  /** Set with `error` and `aborted`, with `contextExceeded` if there is no answer, and with `refusal` if the provider explains it. */
  readonly errorMessage?: string;
  /** A note for the user about a successful answer, such as an unknown stop reason. */
  readonly warning?: string;
  /** Set with `error`. */
  readonly failure?: ModelFailure;
  /** Milliseconds from the request to the end of the answer. */
  readonly latency?: number;
  /** US dollars at the prices at the time of the request; absent if unknown. */
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
  /** The cost of model calls that the tool made. */
  readonly cost?: Cost;
  readonly isError: boolean;
  readonly timestamp: number;
  /** Milliseconds in which its questions waited for the user; absent if the prompt has no `limits.seconds`. */
  readonly waited?: number;
}

/** The usage and cost of model calls: of a prompt, a session or a day. */
export interface Cost {
  readonly usage: Usage;
  /** US dollars for the answers with a known price. */
  readonly usd: number;
  /** How many of `calls` have no known price. */
  readonly unpriced: number;
  /** Answers and attempts that cost tokens. */
  readonly calls: number;
  /** Total latency of the models in milliseconds. */
  readonly latency: number;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

import type { JsonObject } from "@mdx-ai/base";
import type { AssistantMessage, Message, ToolCall } from "./message.ts";

/** A tool as a model sees it. */
export interface ToolSchema {
  /** Within `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. A vendor that refuses some of it gets a weaker one. */
  readonly parameters: JsonObject;
}

/** How a model is to think: as it sees fit, not at all, or within a number of tokens. */
export type Thinking = "adaptive" | "off" | { readonly budget: number };

/** How a model is asked. What is not set is not sent; what a provider does not know is left out. */
export interface ModelParameters {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly thinking?: Thinking;
  /** How much effort to spend on reasoning, in the provider's words, such as "low". */
  readonly effort?: string;
  /** Whether the answer comes in pieces; default true. Without, the events are the same, with one delta a block. */
  readonly stream?: boolean;
}

/** One question to a model. */
export interface ModelRequest extends ModelParameters {
  readonly system: string;
  /** In a fixed order, so that providers can cache the prefix. */
  readonly tools: readonly ToolSchema[];
  readonly messages: readonly Message[];
}

/** An event of one block of an answer. */
interface BlockEvent<Type> {
  readonly type: Type;
  /** The index of the block in `partial.content`. */
  readonly contentIndex: number;
  readonly partial: AssistantMessage;
}

/** More of a block. Deltas that arrive together come as one event. */
interface DeltaEvent<Type> extends BlockEvent<Type> {
  readonly delta: string;
}

/** A text or a thought is whole. */
interface TextEndEvent extends BlockEvent<"text_end" | "thinking_end"> {
  readonly content: string;
}

/** A call is whole. */
interface CallEndEvent extends BlockEvent<"toolcall_end"> {
  readonly toolCall: ToolCall;
}

/** What a model streams. `partial` is the message so far: one object that grows, to be read and not kept. */
export type ModelEvent =
  | { readonly type: "start"; readonly partial: AssistantMessage }
  | BlockEvent<"text_start" | "thinking_start" | "toolcall_start">
  | DeltaEvent<"text_delta" | "thinking_delta" | "toolcall_delta">
  | TextEndEvent
  | CallEndEvent
  | { readonly type: "done"; readonly message: AssistantMessage }
  | { readonly type: "error"; readonly message: AssistantMessage; readonly error: Error };

/** Any model. */
export interface LanguageModel {
  /** Such as "anthropic". */
  readonly provider: string;
  /** The provider's name of the model. */
  readonly name: string;
  /** A line for the user that belongs on stderr before the first prompt, such as that no model is configured. */
  readonly notice?: string;
  /**
   * May prepare the request at once, but sends nothing before the first event is asked for, as an async generator does.
   * One attempt, never repeated here: the caller decides that by the `failure` of the message.
   * Never throws: the last event is `done`, or `error` with stop reason "error", or "aborted" when `signal` fired.
   * The message of an `error` event holds what had arrived. A request that does not fit the model's context is `done`
   * with stop reason "contextExceeded".
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

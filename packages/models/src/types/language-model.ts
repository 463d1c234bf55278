import type { JsonObject } from "@mdx-ai/base";
import type { AssistantMessage, Message, ToolCall } from "./message.ts";

/** A tool as a model sees it. */
export interface ToolSchema {
  /** Matches `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. Weakened for vendors that refuse parts of it. */
  readonly parameters: JsonObject;
}

/** How a model should think: as it decides, not at all, or within a token budget. */
export type Thinking = "adaptive" | "off" | { readonly budget: number };

/** Request parameters. Unset ones are not sent; unsupported ones are dropped. */
export interface ModelParameters {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly thinking?: Thinking;
  /** The reasoning effort, in the provider's words, such as "low". */
  readonly effort?: string;
  /** Whether the provider searches the web when the model asks for that. Its results are part of the answer. Default: no. */
  readonly webSearch?: true;
  /** Whether to stream the answer. Default: true. Otherwise the events are the same, with one delta per block. */
  readonly stream?: boolean;
}

/** One request to a model. */
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

/** More of a block. Deltas that arrive together are one event. */
interface DeltaEvent<Type> extends BlockEvent<Type> {
  readonly delta: string;
}

/** A text or thought is complete. */
interface TextEndEvent extends BlockEvent<"text_end" | "thinking_end"> {
  readonly content: string;
}

/** A call is complete. */
interface CallEndEvent extends BlockEvent<"toolcall_end"> {
  readonly toolCall: ToolCall;
}

/** The events of an answer. `partial` is the message so far: one growing object, so do not store it. */
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
  /** For example "anthropic". */
  readonly provider: string;
  /** The provider's name for the model. */
  readonly name: string;
  /** Whether its provider can search the web. Default: no. */
  readonly searchesWeb?: boolean;
  /** A line for the user on stderr before the first prompt, such as that no model is configured. */
  readonly notice?: string;
  /** Whether it can call tools; if not, it receives none. Default: true. */
  readonly supportsTools?: boolean;
  /** The names of the parameters that it leaves out of its requests. Default: none. */
  refuses?(parameters: ModelParameters): readonly string[];
  /**
   * Sends one request, without retries: the caller decides from the message's `failure`. May prepare the request at once, but sends nothing
   * before the first event is read, like an async generator. Never throws: the last event is `done`, or `error` with stop reason "error",
   * or "aborted" when `signal` fired. The message of an `error` event contains what had arrived. A request that does not fit the model's
   * window ends with `done` and stop reason "contextExceeded".
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

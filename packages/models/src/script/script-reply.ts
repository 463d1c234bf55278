import type { JsonObject } from "../json.ts";
import type { FinishReason } from "../message-builder.ts";
import type { Usage } from "../types/message.ts";

/** A tool call of a scripted reply. */
export interface ScriptCall {
  /** Default: one that no other call of the script has. */
  readonly id?: string;
  readonly name: string;
  /** A string is the exact text of the arguments, to play a model that writes broken JSON. Default `{}`. */
  readonly arguments?: JsonObject | string;
}

/** A failure of a scripted reply. */
export interface ScriptError {
  readonly message: string;
  /** HTTP status, such as 529. */
  readonly status?: number;
  /** The kind of failure, such as "overloaded_error". */
  readonly kind?: string;
  /** Whether another attempt may succeed; default by the status, and false without one. */
  readonly isTransient?: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
  /** How many deltas arrive before it; without it, the answer does not even begin. A call and a thought are a delta each. */
  readonly after?: number;
}

/**
 * One line of a model script: what the model answers to one request. It is played in this order: `thinking`,
 * `text` or `deltas`, `calls`.
 *
 * @example
 * ```jsonl
 * {"calls": [{"name": "get_weather", "arguments": {"city": "Vienna"}}]}
 * {"deltas": ["It is ", "sunny."], "deltaDelay": 50, "usage": {"input": 120, "output": 8}}
 * {"error": {"message": "overloaded", "status": 529}}
 * ```
 */
export interface ScriptReply {
  readonly thinking?: string;
  /** Arrives as one delta. */
  readonly text?: string;
  /** The text in pieces, instead of `text`. */
  readonly deltas?: readonly string[];
  readonly calls?: readonly ScriptCall[];
  readonly usage?: Partial<Usage>;
  /** Milliseconds before the answer begins. */
  readonly delay?: number;
  /** Milliseconds before each delta but the first. */
  readonly deltaDelay?: number;
  /** Default "toolUse" with calls, else "stop". */
  readonly stopReason?: FinishReason;
  readonly error?: ScriptError;
}

import type { UnknownRecord } from "@mdx-ai/base";
import type { ModelRequest } from "../types/language-model.ts";

/** A refused request and the server's reason. */
export interface RefusedRequest {
  /** Absent if it failed in mid-stream. */
  readonly status: number | undefined;
  /** The server's refusal on one line: its names for the failure, followed by its text. */
  readonly said: string;
  /** The faulty field of the request, if the server names it separately. */
  readonly field: string | undefined;
  /** Whether the server says that the request does not fit the model's window. */
  readonly isTooLong: boolean;
  /** As sent, including earlier changes. */
  readonly request: ModelRequest;
  /** The sent body. */
  readonly body: UnknownRecord;
  /** The address; empty if unknown. */
  readonly url: string;
}

/**
 * Handles one kind of refusal by changing later requests. Belongs to one open model and remembers what it learned. Before it has learned
 * something, everything but `learn` changes nothing.
 */
export interface Adaptation {
  /**
   * Learns from a refusal. Returns the change as a sentence for the user, without a full stop. Returns undefined for another kind of
   * refusal, and if the sent body contains nothing to change. The body decides, not what was learned before, since requests of several
   * sessions may be pending.
   */
  learn(refused: RefusedRequest): string | undefined;
  /** Applies the change to a request. */
  request?(request: ModelRequest): ModelRequest;
  /** Applies the change to a body's fields, with or without the messages. */
  fields?(fields: UnknownRecord): UnknownRecord;
  /** Applies the change to the address. */
  url?(url: string): string;
}

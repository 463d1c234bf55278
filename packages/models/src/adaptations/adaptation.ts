import type { UnknownRecord } from "@mdx-ai/base";
import type { ModelRequest } from "../types/language-model.ts";

/** A request that a server refused, and what it said. */
export interface RefusedRequest {
  /** Absent if it failed in mid-stream. */
  readonly status: number | undefined;
  /** The server's own words in one line: the names that it has for the failure, then its text. */
  readonly said: string;
  /** The field of the request that is at fault, if the server names it apart from its text. */
  readonly field: string | undefined;
  /** Whether it says that the request does not fit the model's window. */
  readonly isTooLong: boolean;
  /** As it was sent, earlier changes included. */
  readonly request: ModelRequest;
  /** The body that was sent. */
  readonly body: UnknownRecord;
  /** Where it was sent to; empty if that is not known. */
  readonly url: string;
}

/**
 * One kind of refusal, and how requests change after it. It belongs to one open model and keeps what it has learned as
 * long as that. Everything but `learn` changes nothing until something was learned.
 */
export interface Adaptation {
  /**
   * Learns from a refusal. Returns what changes, as a sentence for the user without its full stop, or undefined if the
   * refusal is of another kind, or if the body that was sent holds nothing that would change: what the body shows counts,
   * not what is known already, since requests of several sessions may be on their way.
   */
  learn(refused: RefusedRequest): string | undefined;
  /** A request as it is asked since then. */
  request?(request: ModelRequest): ModelRequest;
  /** The fields of a body, maybe without the messages, as they are sent since then. */
  fields?(fields: UnknownRecord): UnknownRecord;
  /** Where a request is sent to since then. */
  url?(url: string): string;
}

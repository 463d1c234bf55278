import type { JsonObject } from "@mdx-ai/base";

/** A message of an observed conversation. */
export interface ChatMessage {
  /** Such as "user", "assistant", or "system" for what a memory returned. */
  readonly role: string;
  readonly content: string;
  /**
   * Identifies the message among all of its thread: one that the thread has already processed has no effect. Default: the number
   * of the session in the thread and the position of the message in the session.
   */
  readonly id?: string;
  /** When it was said, ISO 8601; now if absent. */
  readonly at?: string;
  /** Stored with its entry, over those that the model chooses. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A call that the model made, as it is executed. */
export interface MemoryToolCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** An answer of the model, or the message that an invocation ends with. */
export interface AIMessage {
  readonly type: "ai";
  readonly content: string;
  readonly tool_calls: readonly MemoryToolCall[];
}

/** The result of a tool. */
export interface ToolMessage {
  readonly type: "tool";
  /** Of the tool. */
  readonly name: string;
  readonly content: string;
}

/** One line for each message, with its role. */
export const formatMessages = (messages: readonly ChatMessage[]): string =>
  messages.map(({ role, content }) => `${role}: ${content}`).join("\n");

import type { JsonObject } from "@mdx-ai/base";

/** A message of a recorded conversation. */
export interface ChatMessage {
  /** For example "user" or "assistant", or "system" for text that a memory returned. */
  readonly role: string;
  readonly content: string;
  /**
   * Unique in the thread: a message that was already processed has no effect. Default: the number of the session in the thread and the
   * position of the message in the session.
   */
  readonly id?: string;
  /** When it was said, in ISO 8601. Default: now. */
  readonly at?: string;
  /** Stored with the entry. Overrides tags that the model chooses. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A call by the model, as it is executed. */
export interface MemoryToolCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** An answer of the model, or the message at the end of an invocation. */
export interface AIMessage {
  readonly type: "ai";
  readonly content: string;
  readonly tool_calls: readonly MemoryToolCall[];
}

/** The result of a tool. */
export interface ToolMessage {
  readonly type: "tool";
  /** The tool's name. */
  readonly name: string;
  readonly content: string;
}

/** One line per message, with its role. */
export const formatMessages = (messages: readonly ChatMessage[]): string =>
  messages.map(({ role, content }) => `${role}: ${content}`).join("\n");

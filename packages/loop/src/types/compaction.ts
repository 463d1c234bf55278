import type { AssistantMessage, ImageContent, Message, TextContent, ToolCall, UserMessage } from "@mdx-ai/models";
import type { CompactionReport } from "./event.ts";

/** A part of the replaced messages that is still sent verbatim. */
export interface KeptContent {
  /** The newest user input, or the content of a skill. */
  readonly kind: "input" | "skill";
  readonly content: readonly (TextContent | ImageContent)[];
}

/** The replacement of older messages of a session in requests to a model. The result of a journaled step. */
export interface Compaction extends CompactionReport {
  /** The model's summary of them. */
  readonly summary: string;
  readonly kept: readonly KeptContent[];
  /**
   * The message sent instead: the summary, then the kept content. Journaled verbatim, so that the same bytes are sent
   * after a reload and by later versions.
   */
  readonly message: UserMessage;
  /** How many messages of the transcript, from its beginning, are replaced. */
  readonly replaced: number;
  /** The length of the transcript in messages. Answers before it saw another beginning. */
  readonly made: number;
  /** The model's answer with the summary, for its cost. Never sent. */
  readonly answer: AssistantMessage;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

/** A session's transcript, and the part of it that a model receives. Indexes count from 0 at its beginning. */
export interface Conversation {
  /** The index of the first message in memory. Earlier messages are no longer sent and only on disk. */
  first: number;
  /** The messages from that index on. The loop appends to it. */
  readonly messages: Message[];
  /** The newest compaction; it replaces all earlier ones. */
  compaction: Compaction | undefined;
}

/** Recognizes the contents of skills, which are sent verbatim. */
export interface SkillMarks {
  /** Whether the result of a call is a skill's content. */
  keeps(call: ToolCall): boolean;
  /** Whether a text of a generated message is a skill's. */
  isContext(text: string): boolean;
  /** The bodies of skills as `/skill:` commands prepend them to inputs; empty if a skill cannot be read. Never rejects. */
  skillTexts(): Promise<readonly string[]>;
}

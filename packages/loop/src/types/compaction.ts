import type { AssistantMessage, ImageContent, Message, TextContent, ToolCall, UserMessage } from "@mdx-ai/models";
import type { CompactionReport } from "./event.ts";

/** A part of the replaced messages that is still sent word for word. */
export interface KeptContent {
  /** The newest input of the user, or the content of a skill. */
  readonly kind: "input" | "skill";
  readonly content: readonly (TextContent | ImageContent)[];
}

/** The replacement of older messages of a session in requests to a model. The result of a journaled step. */
export interface Compaction extends CompactionReport {
  /** The model's summary of them. */
  readonly summary: string;
  readonly kept: readonly KeptContent[];
  /**
   * The messages sent instead: the summary, then the kept content. Journaled as it is, so that the same bytes are sent
   * after a reload and by later versions.
   */
  readonly message: UserMessage;
  /** How many messages of the transcript, from its beginning, are replaced. */
  readonly replaced: number;
  /** How many messages the transcript had. Answers before that were given to another beginning. */
  readonly made: number;
  /** The model's answer with the summary, for what it cost. Never sent. */
  readonly answer: AssistantMessage;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

/** A session's transcript, and the part of it that a model receives. Indexes count from 0 at its beginning. */
export interface Conversation {
  /** The index of the first message that is held; earlier ones are only on disk, since they are not sent any more. */
  first: number;
  /** From there on. The loop adds to it. */
  readonly messages: Message[];
  /** The newest; it replaces all earlier ones. */
  compaction: Compaction | undefined;
}

/** Recognizes the contents of an agent's skills, which are sent word for word, among other texts. */
export interface SkillMarks {
  /** Whether the result of a call is a skill's content. */
  keeps(call: ToolCall): boolean;
  /** Whether a text of a message that the user did not write is a skill's. */
  isContext(text: string): boolean;
  /** The bodies of skills as `/skill:` commands put them at the beginning of inputs; empty if one cannot be read. Never rejects. */
  skillTexts(): Promise<readonly string[]>;
}

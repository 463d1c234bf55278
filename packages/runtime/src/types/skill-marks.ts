import type { ToolCall } from "@mdx-ai/models";

/** Recognizes the contents of an agent's skills, which are sent word for word, among other texts. */
export interface SkillMarks {
  /** Whether the result of a call is a skill's content. */
  keeps(call: ToolCall): boolean;
  /** The bodies of skills as `/skill:` commands put them at the beginning of inputs; empty where one cannot be read. Never rejects. */
  skillTexts(): Promise<readonly string[]>;
}

import type { Environment } from "@mdx-ai/models";
import type { SkillDefinition } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";

/** What a conversation on a terminal is about. */
export interface SessionOptions {
  readonly agent: Agent;
  readonly skills: readonly SkillDefinition[];
  /** The session's id. */
  readonly session: string;
  /** Of these it reads `NO_COLOR`, `TERM`, `LC_ALL`, `LC_CTYPE` and `LANG`. */
  readonly environment: Environment;
}

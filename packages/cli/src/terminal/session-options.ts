import type { Environment } from "@mdx-ai/base";
import type { ChoosableModels } from "@mdx-ai/directory";
import type { SkillDefinition, TerminalSettings } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import type { PermissionRules } from "./permissions-text.ts";

/** The options of a conversation on a terminal. */
export interface SessionOptions {
  readonly agent: Agent;
  /** The folder that contains the sessions; absent if the agent keeps none. Absolute. */
  readonly dataDir?: string;
  /** The folder where tools work if it is not the agent directory. Absolute, links resolved. */
  readonly workspace?: string | undefined;
  /** The folder where tools work. Absolute. */
  readonly folder: string;
  /** The current folder. Absolute. */
  readonly currentDirectory: string;
  readonly models: ChoosableModels;
  readonly skills: readonly SkillDefinition[];
  /** Permissions from flags and settings. */
  readonly permissions: PermissionRules;
  /** The user's terminal settings; the directory's where the user has none. */
  readonly terminal: TerminalSettings;
  /** Whether to show lines only, as on a terminal that cannot move its cursor. */
  readonly isPlain: boolean;
  /** The id of the first session. */
  readonly session: string;
  /** Whether to run its interrupted and queued prompts at once. */
  readonly resumes: boolean;
  /** Whether the user chose it from a list, which already showed pending prompts. */
  readonly isPicked: boolean;
  /** The user's variables, also passed to the user's commands. */
  readonly environment: Environment;
  /** The user of the sessions, if one was given. */
  readonly user?: string;
  /** Whether an error that no code awaits is a module's, so that the conversation continues. */
  isClaimed?(error: unknown): boolean;
  /** Redacts a text. */
  redact(text: string): string;
  /** How to resume a session, for a user who leaves; undefined if it is empty. */
  wayBack(session: string): string | undefined;
}

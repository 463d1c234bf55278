import type { Environment } from "@mdx-ai/base";
import type { SkillDefinition, TerminalSettings } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import type { ChoosableModels } from "./model-command.ts";
import type { PermissionRules } from "./permissions-text.ts";

/** The options of a conversation on a terminal. */
export interface SessionOptions {
  readonly agent: Agent;
  /** Holds the sessions; absent if the agent keeps none. Absolute. */
  readonly dataDir?: string;
  /** Where tools work, if that is not the agent directory. Absolute, links resolved. */
  readonly workspace?: string | undefined;
  /** Where tools work. Absolute. */
  readonly folder: string;
  /** The current folder. Absolute. */
  readonly currentDirectory: string;
  readonly models: ChoosableModels;
  readonly skills: readonly SkillDefinition[];
  /** The permissions from flags and settings. */
  readonly permissions: PermissionRules;
  /** The user's settings of the terminal, with those of the directory in place of absent ones. */
  readonly terminal: TerminalSettings;
  /** Lines alone, as on a terminal that cannot move its cursor. */
  readonly isPlain: boolean;
  /** The id of the session that it begins in. */
  readonly session: string;
  /** Whether its interrupted and queued prompts are finished at once. */
  readonly resumes: boolean;
  /** Whether the user chose it from a list, which showed if there was anything to finish. */
  readonly isPicked: boolean;
  /** The user's variables, which the user's own commands receive, too. */
  readonly environment: Environment;
  /** Whose sessions these are, if the user said so. */
  readonly user?: string;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  /** How to come back to a session, for a user who leaves; undefined if there is nothing in it. */
  wayBack(session: string): string | undefined;
}

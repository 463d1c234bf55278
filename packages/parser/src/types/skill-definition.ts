import type { JsonObject } from "@mdx-ai/base";
import type { McpServerDefinition } from "./agent-settings.ts";
import type { SourcePoint } from "./diagnostic.ts";

/**
 * How a tool of a skill is run: `bash:cat {path}` has the scheme `bash` and the target `cat {path}`. With a scheme that is not
 * known, the target is the whole text, and each call of the tool is an error.
 */
export interface SkillEntrypoint {
  /** A name of the table of schemes, or "unknown". */
  readonly scheme: string;
  readonly target: string;
  /** The settings of the skill's frontmatter that the scheme uses; absent if there are none. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A tool under `## Tools` of a SKILL.md. */
export interface SkillToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly entrypoint: SkillEntrypoint;
  /** JSON Schema of an object. */
  readonly schema: JsonObject;
  /** Seconds after which a call is stopped; absent: the default of its scheme. */
  readonly timeout?: number;
  /** Of its heading in the skill's file. */
  readonly position: SourcePoint;
}

/** What the index of skills holds for each: all but a body that is read when the skill is used. */
export interface SkillDefinition {
  readonly name: string;
  readonly description: string;
  /** The skill's file, relative to the agent directory, separated by "/"; absolute for a skill outside of it. */
  readonly path: string;
  /** Its `allowed-tools`, which grant and restrict nothing; absent if it names none. */
  readonly allowedTools?: readonly string[];
  /** Absent: 1.0.0. */
  readonly version?: string;
  /** Words by which its tools can be found; absent if there are none. */
  readonly tags?: readonly string[];
  /** More words by which its tools can be found; absent if there are none. */
  readonly toolTags?: readonly string[];
  /** The lines under its `## Permissions`, which grant and restrict nothing; absent if there are none. */
  readonly permissions?: readonly string[];
  /** Its text is sent with a message that contains one of them, in any case; absent if there are none. */
  readonly triggers?: readonly string[];
  /** Whether its text before `## Tools` belongs to the prompt of every turn. Absent: false. */
  readonly alwaysInject?: boolean;
  /**
   * What a model receives of it without being asked for; absent if that is nothing, or only happens on demand. May contain
   * `{baseDir}`.
   */
  readonly text?: string;
  /** Whether a session has it unless its user says otherwise. Absent: true. */
  readonly enabledByDefault?: boolean;
  /** Whether only the user may activate it: the model does not see it in the catalog. Absent: false. */
  readonly disableModelInvocation?: boolean;
  /** Whether it is a command of a repository, which the user calls by its bare name: `/name`. Absent: false. */
  readonly isCommand?: boolean;
  /** Its tools under `## Tools`, without those that are left out for a mistake; absent for a skill without such a section. */
  readonly tools?: readonly SkillToolDefinition[];
  /** The MCP server whose tools are the skill's. */
  readonly mcpServer?: McpServerDefinition;
}

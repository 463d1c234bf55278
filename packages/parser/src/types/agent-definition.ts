import type { AgentSettings } from "./agent-settings.ts";
import type { Parsed, SourcePoint } from "./diagnostic.ts";
import type { SkillDefinition } from "./skill-definition.ts";
import type { SubagentDefinition } from "./subagent-definition.ts";
import type { ToolCode, ToolDefinition } from "./tool-definition.ts";

/** A section that the specification does not name, kept as the author wrote it. */
export interface IdentitySection {
  readonly title: string;
  /** Markdown without the heading. */
  readonly body: string;
}

/** Who the agent is: the prose of agent.mdx as its author wrote it, without frontmatter, elements and comments. */
export interface AgentIdentity {
  readonly name: string;
  /** All of the prose, which a model receives; the other parts are parts of it. Begins with a description that serves as the purpose. */
  readonly prose: string;
  /** The text between the title and the first section; may be empty. */
  readonly introduction: string;
  readonly purpose: string;
  /** The Markdown of each item, without its bullet; later lines are indented by two columns, so that `- ${item}` is Markdown. */
  readonly capabilities: readonly string[];
  /** As `capabilities`. */
  readonly constraints: readonly string[];
  readonly personality: string;
  /** In the order of the file. */
  readonly sections: readonly IdentitySection[];
}

/** All that the files of an agent directory say. Frozen, and the same after a trip through JSON. */
export interface AgentDefinition {
  readonly identity: AgentIdentity;
  readonly settings: AgentSettings;
  readonly tools: readonly ToolDefinition[];
  readonly skills: readonly SkillDefinition[];
  /** The agents that work as its tools: those of agent.mdx, then those of `agents/`. Absent without any. */
  readonly agents?: readonly SubagentDefinition[];
  /** Absent without heartbeat.md. */
  readonly heartbeat?: HeartbeatDefinition;
  /** Files of `modules/`, relative to the agent directory, sorted. */
  readonly modules: readonly string[];
  /**
   * The prose of an MDX file, which has an `import` or `export` at its top level, compiled to an ES module; absent for Markdown.
   * `identity` is then what is known without running it.
   *
   * The module is plain JavaScript. Its default export is the component `MDXContent(props)` of `@mdx-js/mdx`.
   * It imports `Fragment`, `jsx` and `jsxs` of the automatic JSX runtime from `mdx-ai/jsx-runtime`, which the host
   * provides, and what the author imports, by paths relative to agent.mdx. Markdown becomes elements of HTML names
   * (`h2`, `ul`, `code`, …), which `props.components` may replace. Frontmatter, tools and comments are left out; a tool
   * leaves an empty `Fragment` behind. The last line is an inline source map to agent.mdx.
   */
  readonly program?: string;
}

/** A model that an agent names. The parser does not know the vendors: the reader of a directory judges it. */
export interface LocatedModel extends SourcePoint {
  /** Relative to the agent directory. Absent: the file with the agent's settings. */
  readonly file?: string;
  readonly name: string;
  /** `key`: the value of a misspelt key, at the key, which a fix renames to `model`. */
  readonly setting: "model" | "memory.model" | "memory.embeddings" | "key" | "@model";
}

/** A file of prose, and the language that it is read in. */
export interface ProseFile {
  /** Relative to the agent directory, separated by "/". */
  readonly file: string;
  readonly kind: "markdown" | "mdx";
}

/** The definition with its diagnostics, by file, then by position. A run is possible when none is an error. */
export interface DiagnosedDefinition extends Parsed<AgentDefinition> {
  /** In the order of the settings, then of heartbeat.md. */
  readonly models: readonly LocatedModel[];
  /** The files that were parsed as prose, agent.mdx first. */
  readonly files: readonly ProseFile[];
}

/** The result of reading an agent directory. */
export interface AgentDirectory extends DiagnosedDefinition {
  /** Absolute. */
  readonly path: string;
  /** The same with its links resolved. */
  readonly realPath: string;
  /** The file of another program that the agent was made from, with its links resolved; `path` then holds its data alone. Absolute. */
  readonly source?: string;
  /**
   * The agents that work for this one, and for those, by the real paths of their directories or files; absent if they were not read. The
   * directory itself is not among them.
   */
  readonly subagents?: ReadonlyMap<string, AgentDirectory>;
}

/** When a task is due: every so many milliseconds, or at the times of a cron expression. */
export type RoutineTime =
  | { readonly type: "interval"; readonly milliseconds: number }
  | { readonly type: "cron"; readonly expression: string };

/** The hours in which a task may be due, by the wall clock of its time zone. */
export interface ActiveHours {
  /** Minutes since midnight. If `to` is smaller, the hours end on the next day. */
  readonly from: number;
  /** At most 1440. */
  readonly to: number;
  /** The days on which the hours begin, 0 is Sunday. Absent: every day. */
  readonly days?: readonly number[];
}

/** A limit of what a task costs. */
export interface TaskLimit {
  readonly usd?: number;
  readonly tokens?: number;
}

/** Code of a heartbeat: a function of its name in a block of heartbeat.md, or a tool of agent.mdx. */
export type HeartbeatCode =
  | { readonly type: "block"; readonly code: ToolCode }
  | { readonly type: "tool"; readonly name: string };

/** The receiver of the news about a task. */
export type HeartbeatReceiver =
  | { readonly type: "command"; readonly command: string }
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "session"; readonly session: string };

/** What the `@name: value` lines of a task say. What they do not say is absent. */
export interface HeartbeatDirectives {
  readonly active?: ActiveHours;
  /** The most milliseconds by which a run is late, so that many agents do not wake at once. */
  readonly jitter?: number;
  /** `isolated`: a new session for each run; `main`: the agent's default session; else a session's id. */
  readonly session?: string;
  readonly model?: string;
  /** Of one run. */
  readonly limit?: TaskLimit;
  readonly dayLimit?: TaskLimit;
  /** Decides before each run, without a model. */
  readonly gate?: HeartbeatCode;
  /** Checks the result of each run. */
  readonly done?: HeartbeatCode;
  /** Not empty. */
  readonly notify?: readonly HeartbeatReceiver[];
  /** What happens to times that were missed while no process ran or the machine slept. Default: once. */
  readonly missed?: "once" | "skip";
  /** Whether it also runs at each start of the process. */
  readonly onStart?: true;
  readonly timezone?: string;
}

export interface RoutineTask {
  readonly name: string;
  readonly time: RoutineTime;
  readonly directives?: HeartbeatDirectives;
  readonly position: SourcePoint;
}

/** heartbeat.md. */
export interface HeartbeatDefinition {
  /** Milliseconds between two wake-ups; absent if the file names none. */
  readonly interval?: number;
  /** The cron expressions of further wake-ups; not empty. */
  readonly cron?: readonly string[];
  /** Those of the schedule. `timezone` is also that of the routine tasks that name no other. */
  readonly directives?: HeartbeatDirectives;
  readonly onWake: readonly string[];
  readonly routines: readonly RoutineTask[];
  readonly contextReconstruction: readonly string[];
}

import type { Environment, Redactor } from "@mdx-ai/base";
import type { AgentDirectory, AgentFiles, Severity, SkillDefinition } from "@mdx-ai/parser";
import type { AgentOptions, SelfEditor } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";

/** A message about a directory for the user. All texts are untrusted and have one line. */
export type Notice =
  | { readonly type: "note" | "warning"; readonly text: string }
  /** The changes since the user trusted the directory, sent before it is refused. Not empty. */
  | { readonly type: "trust_changed"; readonly changes: readonly string[] }
  /** There is at least one diagnostic. If one is an error, the directory is refused. */
  | { readonly type: "diagnostics_found"; readonly directory: AgentDirectory }
  | { readonly type: "settings_problem"; readonly path: string; readonly problem: SettingsProblem };

/** A mistake in the user's settings. */
export interface SettingsProblem {
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
}

/** An agent that may change its own files. */
export interface SelfEditorOptions {
  /** The agent directory. Absolute. */
  readonly path: string;
  /** `ask`: the user is asked about each change; `on`: only about more power. */
  readonly mode: "ask" | "on";
  readonly frontEnd: FrontEnd;
}

/** The program around a directory: a terminal, a server, an editor. */
export interface FrontEnd {
  readonly environment: Environment;
  /** The current folder. Absolute. May throw if it was removed. */
  readonly currentDirectory: string;
  /** The command that starts a tool host process. */
  readonly toolHostCommand: readonly string[];
  /** Whether tools of agent.mdx reach only their own loopback network. */
  readonly toolNetwork?: "none";
  /** The user whose sessions and memories are used; a name that is checked like a session id. Default: the agent's own. */
  readonly user?: string;
  /** The user's folders of skills in place of the agent's `skills/`, the nearest first. Absolute. */
  readonly skillFolders?: readonly string[];
  /** Skills that the agent has besides its own: those of a repository. */
  readonly moreSkills?: readonly SkillDefinition[];
  /** The files of the agent if they are on no disk; its folder then does not exist. */
  readonly heldFiles?: AgentFiles;
  /** Whether the front end owns this process's console: output of modules then becomes a warning. */
  readonly ownsConsole?: boolean;
  /** A redactor for the secrets of `onSecrets`, too. Default: a new one for each agent. */
  readonly redactor?: Redactor;
  /** Opens what checks and makes changes of an agent's own files. Absent: no agent changes itself. */
  openSelfEditor?(options: SelfEditorOptions): Promise<SelfEditor>;
  /** Must not throw. */
  onNotice(notice: Notice): void;
  /** Receives secrets that output must not contain from now on. */
  onSecrets(secrets: readonly string[]): void;
  /** As in `AgentOptions`. */
  readonly watchErrors?: NonNullable<AgentOptions["watchErrors"]>;
  /** Wraps the reading of a directory, which may keep the process too busy to handle a signal. */
  whileReading?<Result>(read: () => Promise<Result>): Promise<Result>;
}

/** The defaults: the environment variables and the current folder of this process. */
export const processFrontEnd = (): FrontEnd => ({
  environment: process.env,
  currentDirectory: process.cwd(),
  toolHostCommand: toolHostCommand(),
  onNotice: () => {},
  onSecrets: () => {},
});

/** Sends a warning to the user. */
export const warn =
  ({ onNotice }: Pick<FrontEnd, "onNotice">) =>
  (text: string): void =>
    onNotice({ type: "warning", text });

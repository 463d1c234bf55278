import type { Environment, Redactor } from "@mdx-ai/base";
import type { AgentDirectory, Severity } from "@mdx-ai/parser";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";

/** A message about a directory for the user. All texts are foreign, of one line. */
export type Notice =
  | { readonly type: "note" | "warning"; readonly text: string }
  /** What changed since the user trusted the directory, which is about to be refused; not empty. */
  | { readonly type: "trust_changed"; readonly changes: readonly string[] }
  /** At least one. If one is an error, the directory is refused. */
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

/** The program around a directory: a terminal, a server, an editor. */
export interface FrontEnd {
  readonly environment: Environment;
  /** Absolute. May throw if it was removed. */
  readonly currentDirectory: string;
  /** The command that starts a tool host process. */
  readonly toolHostCommand: readonly string[];
  /** Whether tools of agent.mdx are cut off from every network but their own loopback. */
  readonly toolNetwork?: "none";
  /** Whose sessions and memories are used, a name that is checked like a session id; absent: those of the agent itself. */
  readonly user?: string;
  /** Folders of skills that the user names in place of an agent's `skills/`, the nearest first. Absolute. */
  readonly skillFolders?: readonly string[];
  /** Whether the console of this process is the door's own: what modules print then becomes a warning. */
  readonly ownsConsole?: boolean;
  /** Takes the secrets of `onSecrets` out of texts, too; absent: one is made for each agent. */
  readonly redactor?: Redactor;
  /** Must not throw. */
  onNotice(notice: Notice): void;
  /** From now on no output may contain these. */
  onSecrets(secrets: readonly string[]): void;
  /** Surrounds the reading of a directory, which may keep the process too busy to handle a signal. */
  whileReading?<Result>(read: () => Promise<Result>): Promise<Result>;
}

/** The defaults: the variables and the folder of this process. */
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

import type { Environment } from "@mdx-ai/models";
import type { SandboxMode, ToolDefinition } from "@mdx-ai/parser";

/** The hosts that the shell may reach: none, all, or a list. */
export type ShellNetwork = "none" | "all" | readonly string[];

/** How an agent is contained. */
export interface SandboxPolicy {
  readonly mode: SandboxMode;
  readonly network: ShellNetwork;
  /** Files and folders of the user that are shown read-only, although they would be hidden. Absolute and real. */
  readonly read: readonly string[];
  /** Files and folders of the user that are shown and may be written. Absolute and real. */
  readonly write: readonly string[];
}

export interface SandboxOptions {
  /** Absolute. */
  readonly agentDir: string;
  /** Holds the agent's sessions, state and logs; the agent directory if absent. Absolute. */
  readonly dataDir?: string | undefined;
  /** The user's working directory. Absolute. */
  readonly cwd: string;
  /** The user's variables. */
  readonly environment: Environment;
  readonly policy: SandboxPolicy;
  /** Files of the agent that trust covers, relative to its directory, separated by "/". */
  readonly definingFiles?: readonly string[] | undefined;
  /** Leaves tools of agent.mdx no network but their own loopback, whatever the mode is. */
  readonly toolNetwork?: "none" | undefined;
  /** Starts a process that runs `runToolHostProcess`: it connects a contained shell to the hosts that it may reach. */
  readonly toolHostCommand: readonly string[];
  /** Called once, with a line, if something is not contained. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** What a sandbox is for: the shell, a tool of agent.mdx, or the evaluation of the prose. */
export interface EnclosureRequest {
  readonly purpose: "shell" | "prose" | Pick<ToolDefinition, "code" | "network" | "files">;
  /** KiB of data that each process may use. */
  readonly kibibytes: number;
}

/** One sandbox, for one command. */
export interface Enclosure {
  /** The command that runs `command` in it. To be started once. */
  command(command: readonly string[]): string[];
  /** Variables to set in it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether it still protects every file: a process outside may have replaced one. */
  isCurrent(): boolean;
  /** What it allows, if an output or an error shows that something was held back; else "". Lines in brackets. */
  noteOn(output: string): string;
  /** To be called with the process of the command, which leads a group: nothing of it outlives this process. */
  started(pid: number): void;
  /** To be called when the command has ended. Never throws. */
  release(): void;
}

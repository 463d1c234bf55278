import type { Environment } from "@mdx-ai/models";
import type { SandboxMode, ToolDefinition } from "@mdx-ai/parser";
import type { AttachedProcess, SandboxKind, SandboxView } from "../types/sandbox.ts";
import type { AttachedStart } from "./attached-process.ts";
import type { ProcessStart, StartedProcess } from "./start-process.ts";

/** The hosts that the shell may reach: none, all, or a list. */
export type ShellNetwork = "none" | "all" | readonly string[];

/** How an agent is contained. */
export interface SandboxPolicy {
  readonly mode: SandboxMode;
  readonly network: ShellNetwork;
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
  /** Starts a process that runs `runToolHostProcess`: it connects a sandbox to the hosts that it may reach. */
  readonly toolHostCommand: readonly string[];
  /** Called once, with a line, if something is not contained. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** What a sandbox is for: the shell, a tool of agent.mdx, or the evaluation of the prose. */
export interface EnclosureRequest {
  readonly purpose: "shell" | "prose" | Pick<ToolDefinition, "code" | "network" | "files" | "timeout">;
}

/** Makes the sandboxes of an agent. */
export interface Encloser extends Pick<SandboxKind, "privateBytes" | "processes"> {
  /** A sandbox for one command. Rejects with the system's error. */
  enclose(request: EnclosureRequest): Promise<Enclosure>;
  /** What that would allow. Starts nothing. Throws the file system's error. */
  view(request: EnclosureRequest): SandboxView;
  /** To be called when all commands have ended. Never rejects. */
  close(): Promise<void>;
}

/** One command's place in a sandbox. */
export interface Enclosure {
  /** Starts the command in it. To be called once. Nothing of it outlives this process. Throws the system's error. */
  start(start: ProcessStart): StartedProcess;
  /** Starts a command of the user's in it, which has the standard streams of this process. Otherwise as `start`. */
  attach(start: AttachedStart): AttachedProcess;
  /** Whether it still protects every file: a process outside may have replaced one. */
  isCurrent(): boolean;
  /** What it allows, if an output or an error shows that something was held back; else "". Lines in brackets. */
  noteOn(output: string): string;
  /** To be called when the command has ended, or was not started. Never throws. */
  release(): void;
}

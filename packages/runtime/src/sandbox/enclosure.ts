import type { Environment } from "@mdx-ai/models";
import type { SandboxMode, ToolDefinition } from "@mdx-ai/parser";
import type { SandboxAccess } from "../types/permission.ts";
import type { ShownEnd } from "./held-back.ts";
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
  readonly purpose: "shell" | "prose" | Pick<ToolDefinition, "code" | "network" | "files">;
  /** Hosts and paths that the user allows a command of the shell beyond the policy. What is not there any more is left out. */
  readonly opened?: readonly SandboxAccess[];
}

/** One command's place in a sandbox. */
export interface Enclosure {
  /** Starts the command in it. To be called once. Nothing of it outlives this process. Throws the system's error. */
  start(start: ProcessStart): StartedProcess;
  /** Whether it still protects every file: a process outside may have replaced one. */
  isCurrent(): boolean;
  /** What it held back from its command, which has ended; undefined if nothing shows. */
  heldBack(ended: ShownEnd): SandboxAccess | undefined;
  /** What it held back and what it allows; "" if nothing shows. Lines in brackets. */
  noteOn(ended: ShownEnd): string;
  /** To be called when the command has ended, or was not started. Never throws. */
  release(): void;
}

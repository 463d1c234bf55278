import type { Environment } from "@mdx-ai/models";
import type { AgentSettings, SandboxMode, SandboxSettings, ToolDefinition } from "@mdx-ai/parser";

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

/** Contains what an agent runs, if the system can and the user wants it. */
export interface Sandbox {
  /** Found out at the first call. Never rejects. */
  state(): Promise<Containment>;
  /** Rejects with `SandboxMissingError` if containment is required but not available. */
  ready(): Promise<void>;
  /** A sandbox for one command; undefined if nothing is contained. Rejects with the system's error. */
  enclose(request: EnclosureRequest): Promise<Enclosure | undefined>;
  /** To be called when all commands have ended. Never rejects. */
  close(): Promise<void>;
}

/** Whether what an agent runs is contained, and if not, why. */
export type Containment =
  | { readonly contained: true }
  /** A line without a full stop. */
  | { readonly contained: false; readonly why: string };

/** The settings require a sandbox, and this system cannot provide one. */
export class SandboxMissingError extends Error {
  override readonly name = "SandboxMissingError";

  /** `why` is a line without a full stop. */
  constructor(why: string) {
    super(`the sandbox is required, but not available: ${why}`);
  }
}

/**
 * Combines the settings of the user and of the directory, which can only narrow them: if the user has no setting, a directory
 * may ask for containment, but not turn it off.
 */
export function sandboxPolicy(user: SandboxSettings | undefined, directory: AgentSettings["sandbox"]): SandboxPolicy {
  const asked = typeof directory === "string" ? { mode: directory } : (directory ?? {});
  return { mode: modeOf(user?.mode, asked.mode), network: networkOf(user?.network, asked.network) };
}

function modeOf(user: SandboxMode | undefined, directory: SandboxMode | undefined): SandboxMode {
  if (user === "off" || user === "required") return user;
  return directory === "required" ? "required" : "auto";
}

function networkOf(user: SandboxSettings["network"], directory: SandboxSettings["network"]): ShellNetwork {
  if (user === undefined) return directory ?? "none";
  if (directory === undefined || directory === "all") return user;
  if (user === "all") return directory;
  return directory.filter((host) => user.includes(host));
}

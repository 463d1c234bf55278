import type { Environment } from "@mdx-ai/models";
import type { AgentSettings, SandboxMode, SandboxSettings, ToolDefinition } from "@mdx-ai/parser";

/** What the shell may reach: nothing, some hosts, or all that the user may. */
export type ShellNetwork = "none" | "all" | readonly string[];

/** How an agent is contained. */
export interface SandboxPolicy {
  readonly mode: SandboxMode;
  readonly network: ShellNetwork;
}

export interface SandboxOptions {
  /** Absolute. */
  readonly agentDir: string;
  /** Where the user stands. Absolute. */
  readonly cwd: string;
  /** The user's variables. */
  readonly environment: Environment;
  readonly policy: SandboxPolicy;
  /** Files of the agent that trust covers, relative to its directory, separated by "/". */
  readonly definingFiles?: readonly string[] | undefined;
  /** Cuts tools of agent.mdx off from every network but their own loopback, whatever the mode is. */
  readonly toolNetwork?: "none" | undefined;
  /** Starts a process that runs `runToolHostProcess`: it leads a contained shell to the hosts that it may reach. */
  readonly toolHostCommand: readonly string[];
  /** Told once, in a line, what is not contained. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** What is asked of one sandbox: by the shell, by a tool of agent.mdx, or by what evaluates the prose. */
export interface EnclosureRequest {
  readonly purpose: "shell" | "prose" | Pick<ToolDefinition, "code" | "network" | "files">;
  /** KiB of data that each process may hold. */
  readonly kibibytes: number;
}

/** One sandbox, for one command. */
export interface Enclosure {
  /** The command that runs `command` in it. To be started once. */
  command(command: readonly string[]): string[];
  /** Variables that differ in it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether it still holds: somebody outside may have replaced a file that it protects. */
  isCurrent(): boolean;
  /** What it allows, where an output or an error tells that something was held back; else "". Lines in brackets. */
  noteOn(output: string): string;
  /** Told the process of the command, which leads a group: nothing of it outlives this process. */
  started(pid: number): void;
  /** To be called when the command has ended. Never throws. */
  release(): void;
}

/** Contains what an agent runs, as far as the system can and the user wants. */
export interface Sandbox {
  /** Found out once, when it is first asked for. Never rejects. */
  state(): Promise<Containment>;
  /** Rejects with `SandboxMissingError` where containment is required and cannot be had. */
  ready(): Promise<void>;
  /** A sandbox for one command; undefined where nothing is contained. Rejects with what the system says. */
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
 * Joins what the user says with what the directory says, which can only narrow it: where the user says nothing, a directory
 * may ask for containment, but not for its absence.
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

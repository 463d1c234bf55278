import type { Environment } from "@mdx-ai/base";
import type { SandboxAccess } from "@mdx-ai/loop";
import type { SandboxMode, ToolDefinition } from "@mdx-ai/parser";
import type { SandboxCredential } from "./credentials/sandbox-credential.ts";
import type { SandboxLists } from "./sandbox-lists.ts";
import type { AttachedProcess, SandboxKind, SandboxView } from "./types/sandbox.ts";

/** The hosts that the shell may reach: none, all, or a list. */
export type ShellNetwork = "none" | "all" | readonly string[];

/** How an agent is sandboxed. */
export interface SandboxPolicy {
  readonly mode: SandboxMode;
  readonly network: ShellNetwork;
  /** Files and folders that the user lets sandboxed programs read, in home folders or elsewhere. Absolute and real. */
  readonly read: readonly string[];
  /** Files and folders that they may also write. Absolute and real. */
  readonly write: readonly string[];
}

/** The paths that rules deny to read or to write. All paths are absolute and real. */
export interface DeniedPaths {
  /** Every denied path is at or below one of these. */
  readonly bases: readonly string[];
  /** Whether a pattern contains this name literally. */
  names(name: string): boolean;
  denies(path: string): boolean;
  /** Whether a rule of the user denies it, not only one of the directory. */
  isOfUser(path: string): boolean;
  /** Whether everything in a folder is denied, existing or not. */
  deniesAllIn(folder: string): boolean;
}

/** Paths that are denied to every tool. */
export interface DeniedAccess {
  readonly read: DeniedPaths | undefined;
  readonly write: DeniedPaths | undefined;
}

export interface SandboxOptions {
  /** Absolute. */
  readonly agentDir: string;
  /** Holds the agent's sessions, state and logs; the agent directory if absent. Absolute. */
  readonly dataDir?: string | undefined;
  /** The user's working directory. Absolute. */
  readonly cwd: string;
  /** The folder where the user lets commands and tools work; none if absent or equal to the agent directory. Absolute. */
  readonly workspace?: string | undefined;
  /** The user's environment variables. */
  readonly environment: Environment;
  readonly policy: SandboxPolicy;
  readonly lists: SandboxLists;
  /** Which data the agent writes: everything, only the usage log, or nothing. Default: everything. */
  readonly keeps?: "all" | "usage" | "nothing" | undefined;
  /** Files of the agent that trust covers, existing or not, relative to its directory, separated by "/". */
  readonly definingFiles?: readonly string[] | undefined;
  /** Returns the paths that the permissions always deny; called when a sandbox is made. */
  readonly denied?: (() => DeniedAccess) | undefined;
  /** The file of the system's accounts. Absolute. Default: /etc/passwd. */
  readonly accounts?: string | undefined;
  /** Keys that commands and tools use without seeing them. Default: none. */
  readonly credentials?: readonly SandboxCredential[] | undefined;
  /** Limits tools of agent.mdx to their private loopback, whatever the mode is. */
  readonly toolNetwork?: "none" | undefined;
  /** The command that runs `runToolHostProcess`; it connects a sandbox to its allowed hosts. */
  readonly toolHostCommand: readonly string[];
  /** Receives a line if something runs without a sandbox. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The purpose of a sandbox: the shell, agent code without limits of its own, or a tool of agent.mdx. */
export interface SandboxRequest {
  readonly purpose: "shell" | "code" | Pick<ToolDefinition, "code" | "environment" | "network" | "files" | "timeout">;
  /** Hosts and paths that the user grants to a shell command beyond the policy. Paths that no longer exist are ignored. */
  readonly granted?: readonly SandboxAccess[];
}

/** A process that an agent starts for a tool. */
export interface ProcessStart {
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** KiB of data that each process may use. */
  readonly kibibytes?: number | undefined;
  /**
   * Whether it has a channel to the agent at descriptor 3. If not, its standard error is merged into its output, in the order of
   * writing.
   */
  readonly hasChannel: boolean;
  /** A text without null characters for its standard input. Only without a channel. Default: none. */
  readonly input?: string | undefined;
  /** Whether standard error is separate from the output even without a channel. Default: false. */
  readonly separatesErrors?: boolean | undefined;
  /**
   * Makes lines with this start, on standard error, name the processes that the command leaves behind in a sandbox, where they end
   * with it. Only for merged streams.
   */
  readonly leftMark?: string | undefined;
  /** A descriptor to which the process writes `+ PID` before it runs the command. Only without a channel and a sandbox. */
  readonly reports?: number | undefined;
}

/** A command that the user runs, with the standard streams of this process. */
export type AttachedStart = Omit<ProcessStart, "hasChannel">;

/** The leader of a process group, which is killed as a whole. */
export interface StartedProcess {
  readonly pid: number;
  readonly stdout: ReadableStream<Uint8Array>;
  /** Its standard error, if it has a channel or separate errors; otherwise the error that kept it from starting. */
  readonly stderr: ReadableStream<Uint8Array>;
  /** The agent's end of the channel; -1 without a channel. */
  readonly channel: number;
  /** Never rejects. */
  readonly exited: Promise<number>;
  readonly exitCode: number | null;
  /** The name of the signal that ended it. */
  readonly signalCode: string | null;
}

/** A command that has ended. */
export interface EndedCommand {
  /** The text of a shell command. */
  readonly command?: string | undefined;
  readonly output: string;
  readonly hasFailed: boolean;
}

/** Makes the sandboxes of an agent. */
export interface SandboxFactory extends Pick<SandboxKind, "privateBytes" | "processes"> {
  /** The workspace that its sandboxes may write to, if any. Absolute and real. */
  readonly workspace?: string | undefined;
  /** Prepares a sandbox for one command. Rejects with the system's error. */
  contain(request: SandboxRequest): Promise<CommandSandbox>;
  /**
   * Why no command can run in the sandbox of the shell, as a line without a full stop; undefined if commands can run. Rejects
   * with the system's error.
   */
  trial(): Promise<string | undefined>;
  /** Prepares for a shell command that is expected soon. Never rejects. */
  expect(): Promise<void>;
  /** The access that the sandbox for a request would allow. Starts nothing. Throws the file system's error. */
  view(request: SandboxRequest): SandboxView;
  /** Call this when all commands have ended. Never rejects. */
  close(): Promise<void>;
}

/** The network of commands that reach all ports of this machine. */
export const HOST_NETWORK = "host";

/** A prepared sandbox for one command. */
export interface CommandSandbox {
  /** Starts the command in it. Call this once. No process of the command outlives this process. Rejects with the system's error. */
  start(start: ProcessStart): Promise<StartedProcess>;
  /** Starts a command with the standard streams of this process. Throws the system's error. */
  attach(start: AttachedStart): AttachedProcess;
  /** Identifies its network: only commands with the same one reach each other's ports. */
  readonly network: unknown;
  /** Whether it still protects every file; false if a process outside has replaced one. */
  isCurrent(): boolean;
  /** The access that it blocked for its command, which has ended; undefined if none. */
  blocked(ended: EndedCommand): SandboxAccess | undefined;
  /** Lines in brackets about the access that it blocked and allows; "" if it blocked none. Never rejects. */
  noteOn(ended: EndedCommand): Promise<string>;
  /** Call this when the command has ended or was not started. Never throws. */
  release(): void;
}

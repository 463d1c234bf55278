import type { Environment } from "@mdx-ai/base";
import type { SandboxAccess } from "@mdx-ai/loop";
import type { SandboxMode, ToolDefinition } from "@mdx-ai/parser";
import type { SandboxLists } from "./sandbox-lists.ts";
import type { AttachedProcess, SandboxKind, SandboxView } from "./types/sandbox.ts";

/** The hosts that the shell may reach: none, all, or a list. */
export type ShellNetwork = "none" | "all" | readonly string[];

/** How an agent is contained. */
export interface SandboxPolicy {
  readonly mode: SandboxMode;
  readonly network: ShellNetwork;
  /** Files and folders that the user shows to contained programs, in home folders or not. Absolute and real. */
  readonly read: readonly string[];
  /** Those that it may write, too. Absolute and real. */
  readonly write: readonly string[];
}

/** The paths that the user or the directory denies to read, or to write. All paths are absolute and real. */
export interface DeniedPaths {
  /** Everything that is denied is at or below one of these. */
  readonly bases: readonly string[];
  /** Whether a pattern spells this name. */
  names(name: string): boolean;
  denies(path: string): boolean;
  /** Whether the user denies it, not the directory alone. */
  isOfUser(path: string): boolean;
  /** Whether everything in a folder is denied, and all that may be created there. */
  deniesAllIn(folder: string): boolean;
}

/** Paths that are denied, whichever tool accesses them. */
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
  /** Where the user lets commands and tools work; none if absent or the agent directory. Absolute. */
  readonly workspace?: string | undefined;
  /** The user's variables. */
  readonly environment: Environment;
  readonly policy: SandboxPolicy;
  readonly lists: SandboxLists;
  /** Which files the agent writes into its data: all, only the usage log, or none; all if absent. */
  readonly keeps?: "all" | "usage" | "nothing" | undefined;
  /** Files of the agent that trust covers, existing or not, relative to its directory, separated by "/". */
  readonly definingFiles?: readonly string[] | undefined;
  /** The paths that the permissions always deny to read and to write; called when a sandbox is made. */
  readonly denied?: (() => DeniedAccess) | undefined;
  /** The file of the system's accounts; /etc/passwd if absent. Absolute. */
  readonly accounts?: string | undefined;
  /** Leaves tools of agent.mdx no network but their own loopback, whatever the mode is. */
  readonly toolNetwork?: "none" | undefined;
  /** Starts a process that runs `runToolHostProcess`: it connects a sandbox to the hosts that it may reach. */
  readonly toolHostCommand: readonly string[];
  /** Called with a line if something is not contained. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The purpose of a sandbox: the shell, other code of the agent without limits of its own, or a tool of agent.mdx. */
export interface SandboxRequest {
  readonly purpose: "shell" | "code" | Pick<ToolDefinition, "code" | "environment" | "network" | "files" | "timeout">;
  /** Hosts and paths that the user allows a command of the shell beyond the policy. Those that no longer exist are left out. */
  readonly granted?: readonly SandboxAccess[];
}

/** A process that an agent starts for a tool. It has no input. */
export interface ProcessStart {
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** KiB of data that each process may use. */
  readonly kibibytes?: number | undefined;
  /** Whether it reaches the agent by a channel, at descriptor 3. If not, its errors go to its output, in the order in which both were written. */
  readonly hasChannel: boolean;
  /** Whether its errors are apart from its output although it has no channel. Default false. */
  readonly separatesErrors?: boolean | undefined;
}

/** A command of the user's. It has the standard streams of this process. */
export type AttachedStart = Omit<ProcessStart, "hasChannel">;

/** It leads a process group of its own, which is killed as a whole. */
export interface StartedProcess {
  readonly pid: number;
  readonly stdout: ReadableStream<Uint8Array>;
  /** Of a process with a channel or whose errors are apart; of others, the error that kept them from starting. */
  readonly stderr: ReadableStream<Uint8Array>;
  /** The agent's end of the channel; -1 if there is none. */
  readonly channel: number;
  /** Never rejects. */
  readonly exited: Promise<number>;
  readonly exitCode: number | null;
  /** The name of a signal. */
  readonly signalCode: string | null;
}

/** A command that has ended. */
export interface EndedCommand {
  readonly output: string;
  readonly hasFailed: boolean;
}

/** Makes the sandboxes of an agent. */
export interface SandboxFactory extends Pick<SandboxKind, "privateBytes" | "processes"> {
  /** The workspace that its sandboxes write, if there is one. Absolute and real. */
  readonly workspace?: string | undefined;
  /** A sandbox for one command. Rejects with the system's error. */
  contain(request: SandboxRequest): Promise<CommandSandbox>;
  /**
   * Why no command can run in the sandbox of the shell, in a line without a full stop; undefined if one can. Rejects with the
   * system's error.
   */
  trial(): Promise<string | undefined>;
  /** Prepares the next command of the shell, which is expected soon. Never rejects. */
  expect(): Promise<void>;
  /** What the sandbox for a request would allow. Starts nothing. Throws the file system's error. */
  view(request: SandboxRequest): SandboxView;
  /** To be called when all commands have ended. Never rejects. */
  close(): Promise<void>;
}

/** One command's place in a sandbox. */
export interface CommandSandbox {
  /** Starts the command in it. To be called once. Nothing of it outlives this process. Throws the system's error. */
  start(start: ProcessStart): StartedProcess;
  /** Starts a command of the user's in it, which has the standard streams of this process. Otherwise as `start`. */
  attach(start: AttachedStart): AttachedProcess;
  /** Whether it still protects every file: a process outside may have replaced one. */
  isCurrent(): boolean;
  /** The access that it blocked for its command, which has ended; undefined if there is none. */
  blocked(ended: EndedCommand): SandboxAccess | undefined;
  /** The accesses that it blocked and allows; "" if none show. Lines in brackets. */
  noteOn(ended: EndedCommand): string;
  /** To be called when the command has ended, or was not started. Never throws. */
  release(): void;
}

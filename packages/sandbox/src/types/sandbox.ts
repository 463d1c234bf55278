import type { SandboxAccess } from "@mdx-ai/loop";
import type { SandboxMode, ToolFiles } from "@mdx-ai/parser";

/** The access that a sandbox allows. All paths are absolute. Paths in none of the lists are read-only. */
export interface SandboxView {
  /** Writable files and folders of the host, with everything in them except paths in other lists. */
  readonly writable: readonly string[];
  /** Read-only paths in writable ones. */
  readonly protected: readonly string[];
  /** Paths that look empty or absent. */
  readonly hidden: readonly string[];
  /** Read-only paths inside hidden or private ones. */
  readonly shown: readonly string[];
  /** Writable folders, empty at first, that only the sandboxes of the agent see. */
  readonly private: readonly string[];
  /** Missing paths of the agent directory and the workspace that a command cannot create. */
  readonly placeholders: readonly string[];
  /** The reachable hosts: all that this machine reaches, or a list. */
  readonly network: "all" | readonly string[];
  /** The data limit of a process in KiB; absent if the system does not enforce it. */
  readonly kibibytes?: number;
  /** The default timeout of a call, in seconds. */
  readonly seconds: number;
}

/** The access of a tool of agent.mdx. */
export interface ToolSandboxView extends SandboxView {
  readonly name: string;
  /** The patterns of its `files`. */
  readonly files?: ToolFiles;
}

/** The limits of all sandboxes of an agent. */
export interface SandboxKind {
  /** The sandbox program. The one of macOS is not tested and replaces no question. */
  readonly program: "bubblewrap" | "sandbox-exec";
  /** The total size of all private folders, in bytes; absent if they are on a disk. */
  readonly privateBytes?: number;
  /** The most processes of each sandbox; absent if there is no limit. */
  readonly processes?: number;
}

/** The files and hosts that the shell and the tools of agent.mdx can access. */
export type SandboxDescription =
  | {
      readonly contained: false;
      readonly mode: SandboxMode;
      /** A line without a full stop. */
      readonly why: string;
    }
  | ({
      readonly contained: true;
      readonly mode: SandboxMode;
      /** The folder where the shell and the tools work and write, if it is not the agent directory. Absolute and real. */
      readonly workspace?: string;
      readonly shell: SandboxView;
      /** The keys that programs use without seeing them, by host, with the variable that holds a placeholder. */
      readonly credentials: Readonly<Record<string, string>>;
      /** The hosts and paths that the user's answers always grant to shell commands; included in the view. */
      readonly granted: readonly SandboxAccess[];
      readonly tools: readonly ToolSandboxView[];
    } & SandboxKind);

/** A signal for a command from a user, a terminal or the system. */
export type CommandSignal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT" | "SIGWINCH" | "SIGCONT" | "SIGSTOP";

/** A command that has the standard streams of this process. */
export interface AttachedProcess {
  /** The exit code, or 128 + the number of the signal that ended it. Never rejects. */
  readonly exited: Promise<number>;
  /** Sends a signal to the command and what it started in its process group. Never throws. */
  signal(name: CommandSignal): void;
}

import type { AgentTool } from "@mdx-ai/loop";
import type { LanguageModel, ToolSchema } from "@mdx-ai/models";
import type { PermissionMode } from "@mdx-ai/parser";
import type { AttachedProcess, SandboxDescription } from "@mdx-ai/sandbox";
import type { AgentServer } from "./mcp.ts";
import type { AddedNote, Memory } from "./memory.ts";
import type { Session } from "./session.ts";

/** A shell command that the user runs directly. */
export interface UserCommand {
  readonly command: string;
  /** Kills the command and all processes that it started. */
  readonly signal: AbortSignal;
  /** Receives stdout and stderr as they arrive. The text is untrusted. Must not throw. */
  onOutput(text: string): void;
}

/** The result of a user command. */
export interface UserCommandEnd {
  /** The output, shortened in the middle as it is for the model. */
  readonly output: string;
  /** Why it failed and what the sandbox blocked: lines without a full stop, or "". */
  readonly problem: string;
}

/** The agent's long-term memory. Methods reject with `MemoryError`, or with `AgentClosedError` after the close. */
export interface UserMemory {
  /** Adds a memory, which the model receives in every session from the next prompt on. Resolves when it is in `state/memory.json`. */
  remember(text: string): Promise<Memory>;
  /** Returns all memories, the oldest first. If they cannot be read, warns and returns none. */
  memories(): Promise<readonly Memory[]>;
  /** Removes and returns a memory; undefined if the id is unknown. */
  forget(id: string): Promise<Memory | undefined>;
  /** Appends the line `* text` to AGENT.md, which the model receives from the next prompt on. Resolves when it is on disk. */
  addNote(text: string): Promise<AddedNote>;
}

/** The model's shell, for the user: the same directory, environment variables and sandbox, if there is a sandbox. */
export interface UserShell {
  /**
   * The files that the shell and the tools of agent.mdx can read and write, and the hosts that they can reach. Runs no agent code. Rejects with
   * the file system's error.
   */
  describe(): Promise<SandboxDescription>;
  /**
   * Starts a command with the standard streams of this process and no time limit. Rejects with the system's error.
   */
  attach(command: readonly string[]): Promise<AttachedProcess>;
  /** Runs a command as the tool `bash` does, without approval and without a time limit. Rejects if it does not start. */
  run(command: UserCommand): Promise<UserCommandEnd>;
}

export interface CloseOptions {
  /** How long running steps, such as a command or a model's answer, may take to end, in milliseconds; default 0. No other step begins. */
  readonly patience?: number;
}

/** An open agent. */
export interface Agent {
  readonly name: string;
  readonly model: LanguageModel;
  /** Asked in this order while the model is unavailable. */
  readonly fallbacks: readonly LanguageModel[];
  /**
   * Builtin, inline and module tools in the order in which a model receives them, for calls by a person: no approval
   * is needed, and a call that the user's permissions deny is an error.
   */
  readonly tools: readonly AgentTool[];
  /** The same tools for unattended calls, such as from a recording: a call that needs approval is an error, too. */
  readonly permittedTools: readonly AgentTool[];
  /**
   * The tools as a model receives them in a new session, in the same order: wire names, descriptions and parameters. Tools of
   * skills that are not enabled by default are left out.
   */
  readonly toolSchemas: readonly ToolSchema[];
  /** The MCP servers of the agent. Reading this starts none. */
  readonly servers: readonly AgentServer[];
  readonly memory: UserMemory;
  readonly shell: UserShell;
  /** What tools may do without a question, in all sessions whose edits the user has not allowed. */
  readonly mode: PermissionMode;
  /** Sets the mode for all further calls, also in running prompts, until the agent is closed. */
  setMode(mode: PermissionMode): void;
  /** Returns the session with this id. Default: the default session. Opens and creates nothing. Throws `SessionIdError`. */
  session(id?: string): Session;
  /** The system prompt, exactly as a model would receive it. */
  systemPrompt(): Promise<string>;
  /** Loads the files of the directory that have changed, as the next prompt would. Does nothing unless `refresh` was given. Never rejects. */
  refresh(): Promise<void>;
  /**
   * Stops modules and tool hosts and releases sessions. A running prompt stays interrupted, as after a kill, and its
   * `prompt` or `resume` rejects with `AgentClosedError`; to end it for good, cancel it first. Never rejects; may be called
   * twice.
   */
  close(options?: CloseOptions): Promise<void>;
}

import type { AgentTool } from "@mdx-ai/loop";
import type { LanguageModel, ToolSchema } from "@mdx-ai/models";
import type { PermissionMode } from "@mdx-ai/parser";
import type { AttachedProcess, SandboxDescription } from "@mdx-ai/sandbox";
import type { AgentServer } from "./mcp.ts";
import type { AddedNote, Memory } from "./memory.ts";
import type { Session } from "./session.ts";

/** A command that the user runs beside the model. */
export interface UserCommand {
  readonly command: string;
  /** Ends it, with all that it started. */
  readonly signal: AbortSignal;
  /** Receives its output as it arrives, its errors among it; untrusted text. Must not throw. */
  onOutput(text: string): void;
}

/** How a command of the user ended. */
export interface UserCommandEnd {
  /** Its output, shortened in its middle as the model's own commands are. */
  readonly output: string;
  /** Why it failed, and what its sandbox blocked: lines without a full stop; "" if nothing is to say. */
  readonly problem: string;
}

/** What an agent remembers across its sessions. Its methods reject with `MemoryError`, or `AgentClosedError` after the close. */
export interface UserMemory {
  /** Adds a memory, which the model receives in every session from the next prompt on. Resolves when it is in `state/memory.json`. */
  remember(text: string): Promise<Memory>;
  /** All memories, the oldest first; none, with a warning, if they cannot be read. */
  memories(): Promise<readonly Memory[]>;
  /** Removes and returns a memory; undefined if there is none with this id. */
  forget(id: string): Promise<Memory | undefined>;
  /** Appends the line `* text` to AGENT.md, which the model receives from the next prompt on. Resolves when it is on disk. */
  addNote(text: string): Promise<AddedNote>;
}

/** The shell of the model, for the user: with its directory, its variables and its sandbox, or without one if nothing is contained. */
export interface UserShell {
  /**
   * The files and hosts that the shell and the tools of agent.mdx can read, write and reach. Runs nothing of the agent. Rejects with
   * the file system's error.
   */
  describe(): Promise<SandboxDescription>;
  /**
   * Starts a command with the standard streams of this process; nothing limits its time. Rejects with the system's error.
   */
  attach(command: readonly string[]): Promise<AttachedProcess>;
  /** Runs a command as the tool `bash` does; nobody is asked, and nothing limits its time. Rejects if it does not start. */
  run(command: UserCommand): Promise<UserCommandEnd>;
}

/** An open agent. */
export interface Agent {
  readonly name: string;
  readonly model: LanguageModel;
  /** Asked in this order while the model is unavailable. */
  readonly fallbacks: readonly LanguageModel[];
  /**
   * Builtin, inline and module tools in the order in which a model receives them, for calls that a person makes: no approval
   * is needed, and a call that the user's permissions deny is an error.
   */
  readonly tools: readonly AgentTool[];
  /** The same for calls that nobody has seen, such as those of a recording: a call that needs approval is an error, too. */
  readonly permittedTools: readonly AgentTool[];
  /**
   * The tools as a model receives them in a new session, in the same order: their wire names, descriptions and parameters. Those of
   * skills that are not enabled by default are left out.
   */
  readonly toolSchemas: readonly ToolSchema[];
  /** The MCP servers of the agent. None is started by reading this. */
  readonly servers: readonly AgentServer[];
  readonly memory: UserMemory;
  readonly shell: UserShell;
  /** What tools may do without a question, in all sessions whose edits the user has not allowed. */
  readonly mode: PermissionMode;
  /** Chooses the mode for the next calls of all sessions, those of running prompts included, until the agent is closed. */
  setMode(mode: PermissionMode): void;
  /** A session by its id; the default one without. Opens and makes nothing. Throws `SessionIdError`. */
  session(id?: string): Session;
  /** The system prompt, exactly as a model would receive it. */
  systemPrompt(): Promise<string>;
  /**
   * Stops modules and tool hosts and releases sessions. A running prompt stays interrupted, as after a kill, and its
   * `prompt` or `resume` rejects with `AgentClosedError`; to end it for good, cancel it first. Never rejects; may be called
   * twice.
   */
  close(): Promise<void>;
}

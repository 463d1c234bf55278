import type { ImageContent, LanguageModel, Message, ToolSchema } from "@mdx-ai/models";
import type { PermissionMode, SkillDefinition } from "@mdx-ai/parser";
import type { Checkpoint, UndoOptions, UndoResult } from "./checkpoint.ts";
import type { AgentEvent, CompactionReport, Cost, PendingPrompt, TokenMeasure } from "./event.ts";
import type { AgentServer } from "./mcp.ts";
import type { AddedNote, Memory } from "./memory.ts";
import type { AttachedProcess, SandboxDescription } from "./sandbox.ts";
import type { AgentTool, ToolResult } from "./tool.ts";
import type { ToolOrigin } from "./tool-origin.ts";

export interface SubmitOptions {
  /** The agent's own session if absent. */
  readonly session?: string;
  /** An id of the caller's for the prompt: a second submission of the same key is the same prompt. Unique within the session. */
  readonly key?: string;
  /** Replaces the agent's model for this prompt. */
  readonly model?: LanguageModel;
  /** Where the tools of the session work from now on; until then the agent's workspace, else its directory. Absolute. */
  readonly cwd?: string;
  /** Images that the model receives behind the text. */
  readonly images?: readonly ImageContent[];
}

/** A file that the user adds to a prompt. */
export interface AttachedFile {
  /** Relative to the folder where tools work, or absolute. */
  readonly path: string;
  /** The first line, from 1. Default 1. */
  readonly offset?: number;
  /** The most lines. Default: all that fit. */
  readonly limit?: number;
}

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

export interface PromptOptions extends Omit<SubmitOptions, "key"> {
  /** Cancels the prompt. */
  readonly signal?: AbortSignal;
  /** Whether a prompt that has to wait is written to disk at once, so that it survives the process. */
  readonly isKept?: boolean;
}

export interface EventsOptions {
  /** The id of the event that was read last; "0.0" for all. Absent: from now on. */
  readonly after?: string;
  /** Ends the events; the session's prompts continue. */
  readonly signal?: AbortSignal;
}

/** A command of the user that was answered without the model, such as `/info`. */
export interface CommandNote {
  readonly name: string;
  /** The whole typed text, including the name. */
  readonly input: string;
  readonly output: string;
}

/** The usage of a session so far. */
export interface SessionInfo {
  readonly session: Cost;
  /** Of today, over all sessions of the agent. */
  readonly day: Cost;
  /** Tokens of the next request without its new message. */
  readonly context: { readonly tokens: number; readonly measured: TokenMeasure; readonly window?: number };
}

/** A skill of an agent in one of its sessions. */
export interface AgentSkill {
  readonly definition: SkillDefinition;
  /** Whether the session has it. */
  readonly isEnabled: boolean;
  /** The names of its tools, those of its MCP server as far as they are known; a session that has it can call them. */
  readonly tools: readonly string[];
  /** The words by which its tools can be found. */
  readonly tags: readonly string[];
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
  /** Where each of the tools that a session has comes from, by its name, in the order in which a model receives them. */
  toolOrigins(session?: string): ReadonlyMap<string, ToolOrigin>;
  /** What tools may do without a question, in all sessions whose edits the user has not allowed. */
  readonly mode: PermissionMode;
  /** The same in one session: `edits` instead of `ask` if the user allowed all its edits since it is open. */
  modeOf(session?: string): PermissionMode;
  /** Chooses the mode for the next calls of all sessions, those of running prompts included, until the agent is closed. */
  setMode(mode: PermissionMode): void;
  /** The MCP servers of the agent. None is started by reading this. */
  readonly servers: readonly AgentServer[];
  /**
   * The tools as a model receives them in a new session, in the same order: their wire names, descriptions and parameters. Those of
   * skills that are not enabled by default are left out.
   */
  readonly toolSchemas: readonly ToolSchema[];
  /**
   * Submits one user input. Resolves to the prompt's id when the input is on disk; the prompt runs whether or not anybody
   * reads its events. `/skill:name` is expanded. Rejects as `prompt` does.
   */
  submit(text: string, options?: SubmitOptions): Promise<string>;
  /**
   * The events of a session behind an event, live and past; without `after` from now on. Any number of readers may come,
   * leave and come back. A slow one loses updates at most. Ends when the agent is closed.
   */
  events(session?: string, options?: EventsOptions): AsyncIterable<AgentEvent>;
  /**
   * Cancels a prompt that waits, runs or was interrupted in a session: it ends for good. Resolves to false if there is none of
   * this id.
   */
  cancel(prompt: string, session?: string): Promise<boolean>;
  /**
   * Runs one user input to completion; queued inputs of its session run first. `/skill:name` and `/mcp:server:prompt` are expanded. Yields the events
   * of its turn. It starts with the first read and continues if nobody reads any more; `signal` cancels it. A prompt that is
   * cancelled while it waits leaves no trace and has no events. Rejects with `AgentClosedError`, `SessionInUseError`, `SessionIdError`, `UnknownSkillError`, `SkillFileError`, `McpPromptError`, `UnknownPriceError`,
   * `ModelMissingError` or `JournalError`; later failures are events.
   */
  prompt(text: string, options?: PromptOptions): AsyncIterable<AgentEvent>;
  /**
   * Finishes the prompts that an earlier process left in a session: the interrupted prompt, then the queued ones. `prompt` and `compact`
   * do so first, too, except for foreign ones. Yields nothing if nothing is left. Rejects as `prompt` does.
   */
  resume(options?: Omit<PromptOptions, "isKept">): AsyncIterable<AgentEvent>;
  /** The prompts that an earlier process left in a session. */
  pendingPrompts(session?: string): Promise<readonly PendingPrompt[]>;
  /**
   * Adds input to the running prompt of a session; the next model request contains it. `/skill:name` is expanded. Resolves
   * when it is on disk, or to false if no running prompt of the session will ask the model again. `images` follow the text.
   */
  steer(text: string, session?: string, images?: readonly ImageContent[]): Promise<boolean>;
  /**
   * Logs a command that was answered without the model. The model never sees it. Throws as `messages` rejects.
   */
  note(command: CommandNote, session?: string): void;
  /**
   * Releases a session's lock once the prompts that were already sent have ended, for example to delete it. Its next use opens
   * it again.
   */
  release(session?: string): Promise<void>;
  /** The transcript of a session. */
  messages(session?: string): Promise<readonly Message[]>;
  /** Archives a session's history and starts a new log file; nothing is deleted. */
  clear(session?: string): Promise<void>;
  /** The agent's skills, and which of them a session has. */
  skills(session?: string): Promise<readonly AgentSkill[]>;
  /**
   * Enables a skill in a session, from its next prompt on; the session keeps it. Rejects with `UnknownSkillError`, or as `messages`
   * does.
   */
  enableSkill(name: string, session?: string): Promise<void>;
  /** Disables a skill in a session, in the same way: the model learns nothing of it, and its tools cannot be called. */
  disableSkill(name: string, session?: string): Promise<void>;
  /** The prompts of a session's transcript, in their order, with the files that their tools changed. */
  checkpoints(session?: string): Promise<readonly Checkpoint[]>;
  /**
   * Takes the last prompt out of a session, and restores the files that its tools changed. Nothing is deleted from the session. A file
   * that has changed since is left as it is, unless `force` is set; so is one whose earlier content is not known. What a crash cut
   * short is finished by the next call of `undo` or `rewind`, unless a prompt has begun since. Resolves to undefined if the session has no prompt.
   */
  undo(session?: string, options?: UndoOptions): Promise<UndoResult | undefined>;
  /** The same for the prompt of this number and all that follow it. Rejects with `UnknownPromptError`. */
  rewind(prompt: number, session?: string, options?: UndoOptions): Promise<UndoResult | undefined>;
  /**
   * Replaces older messages of a session by a summary in requests; the session keeps them. Resolves to the tokens of a
   * request before and after, or to undefined if there is nothing to replace. `model` replaces the agent's model. Rejects with
   * `ModelError`.
   */
  compact(session?: string, signal?: AbortSignal, model?: LanguageModel): Promise<CompactionReport | undefined>;
  /** The usage of a session and of the day. The window is that of `model`; by default of the agent's model. */
  info(session?: string, model?: LanguageModel): Promise<SessionInfo>;
  /**
   * Adds a memory, which the model receives in every session from the next prompt on. Resolves when it is in
   * `state/memory.json`. Rejects with `MemoryError`, as the next ones do.
   */
  remember(text: string): Promise<Memory>;
  /** All memories, the oldest first; none, with a warning, if they cannot be read. */
  memories(): Promise<readonly Memory[]>;
  /** Removes and returns a memory; undefined if there is none with this id. */
  forget(id: string): Promise<Memory | undefined>;
  /** Appends the line `* text` to AGENT.md, which the model receives from the next prompt on. Resolves when it is on disk. */
  addNote(text: string): Promise<AddedNote>;
  /**
   * The files and hosts that the shell and the tools of agent.mdx can read, write and reach. Runs nothing of the agent. Rejects with the file
   * system's error.
   */
  describeSandbox(): Promise<SandboxDescription>;
  /**
   * Starts a command of the user's in the environment of the model's shell: with its directory, its variables and its sandbox,
   * or without one if nothing is contained. It has the standard streams of this process, and nothing limits its time. Rejects with the
   * system's error.
   */
  attachCommand(command: readonly string[]): Promise<AttachedProcess>;
  /**
   * Runs a command of the user's as the tool `bash` runs those of the model: with its directory, its variables and its sandbox; nobody
   * is asked, and nothing limits its time. Rejects if it does not start.
   */
  runCommand(command: UserCommand): Promise<UserCommandEnd>;
  /**
   * Reads a file that the user adds to a prompt of a session, as the tool `read_file` does: that session has read it. `confirm` is
   * asked, with the reason, if the permissions would ask the user about it. Rejects with an error that says why the file cannot be read
   * or must not be.
   */
  readAttachment(
    file: AttachedFile,
    confirm: (reason: string) => Promise<boolean>,
    session?: string,
  ): Promise<ToolResult | string>;
  /** The system prompt, exactly as a model would receive it. */
  systemPrompt(): Promise<string>;
  /**
   * Stops modules and tool hosts and releases sessions. A running prompt stays interrupted, as after a kill, and its
   * `prompt` or `resume` rejects with `AgentClosedError`; to end it for good, cancel it first. Never rejects; may be called
   * twice.
   */
  close(): Promise<void>;
}

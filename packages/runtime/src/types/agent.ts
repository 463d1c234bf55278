import type { Environment, LanguageModel, Message, ModelParameters, ToolSchema } from "@mdx-ai/models";
import type { AgentDirectory, SandboxSettings } from "@mdx-ai/parser";
import type { AgentEvent, LeftoverPrompt, Spending, TokenMeasure } from "./event.ts";
import type { AddedNote, Memory } from "./memory.ts";
import type { AskApproval, UserPermissions } from "./permission.ts";
import type { AgentTool } from "./tool.ts";

/** The time, as the runtime knows it; a test hands in its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after so many milliseconds; the returned function cancels. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The code that the user trusts when the agent is opened. */
export interface TrustedCode {
  /** Files of the directory, relative to it, separated by "/"; changing one is changing the agent. */
  readonly files: readonly string[];
  /** By the names of inline tools, a hash of all code that a call of it runs. */
  readonly tools: ReadonlyMap<string, string>;
  /** The same of all modules together. */
  readonly modules: string;
}

export interface AgentOptions {
  readonly directory: AgentDirectory;
  /** Where sessions, state and logs are kept; the agent directory if absent. Absolute. */
  readonly dataDirectory?: string;
  readonly model: LanguageModel;
  /** Asked in this order where the model is unavailable. */
  readonly fallbacks?: readonly LanguageModel[];
  /** Where the user stands. Absolute. */
  readonly cwd: string;
  /** The command that starts a tool host process, such as `[executable, "__tool-host"]`. */
  readonly toolHostCommand: readonly string[];
  /** Cuts tools of agent.mdx off from every network but their own loopback, by a sandbox, whatever its mode is. */
  readonly toolNetwork?: "none";
  /** The variables of the user; a tool sees those that its `env` names and a few that programs need. */
  readonly environment: Environment;
  /** Secrets that stand in no variable, such as keys of a configuration: as little as those are they ever written down. */
  readonly secrets?: readonly string[];
  /** How the model is asked; what is not set here is the settings'. */
  readonly parameters?: ModelParameters;
  /** How often a failed model call is repeated, or the seconds before each repetition; else the settings', else 2. */
  readonly retries?: number | readonly number[];
  /** Turns a prompt may take; else the settings', else 50. */
  readonly maxTurns?: number;
  /** No session, no state and no log is written; what was spent is, where a limit of the day counts on it. */
  readonly ephemeral?: boolean;
  /** Whether modules wake by themselves (the heartbeat); false under `--prompt`. */
  readonly wakes?: boolean;
  readonly clock?: Clock;
  /** What the user says of permissions; what the settings of the directory say counts below it. */
  readonly permissions?: UserPermissions;
  /** Asks the user; without it what would be asked is refused. */
  readonly onApproval?: AskApproval;
  /**
   * The folder, out of every tool's reach, in which approvals of the user outlive the process. Absolute. Without it they
   * last as long as the agent is open.
   */
  readonly approvalsDirectory?: string;
  /** What the user says of containment; it goes over the settings of the directory, which can only narrow it. */
  readonly sandbox?: SandboxSettings;
  /** What the user's trust covers. */
  readonly trusted?: TrustedCode;
  /** The session that modules and the heartbeat speak in; default "main". */
  readonly session?: string;
  /**
   * Asked before each prompt is worked off what the agent has become meanwhile; it stays as it is where that is undefined.
   * Modules whose code has changed are then stopped and loaded anew; where one cannot be imported all stay as they are,
   * which is warned of. Sessions go on.
   */
  readonly refresh?: (signal: AbortSignal) => Promise<AgentChanges | undefined>;
  /** Told what a user should know and no event carries: one line, no newline. */
  readonly onWarning?: (message: string) => void;
  /** Told the events of prompts that no user sent: those of modules and of the heartbeat. */
  readonly onBackgroundEvent?: (event: AgentEvent) => void;
}

/** What of an open agent may become another one: its directory as it was read anew, and what follows from its settings. */
export type AgentChanges = Pick<AgentOptions, "directory"> &
  Partial<Pick<AgentOptions, "model" | "fallbacks" | "parameters" | "retries" | "trusted">>;

export interface SubmitOptions {
  /** The agent's own session if absent. */
  readonly session?: string;
  /** An id of the caller's for the prompt: a second submission of the same key is the same prompt. Unique within the session. */
  readonly key?: string;
  /** Asked for this prompt instead of the agent's own model. */
  readonly model?: LanguageModel;
  /** The working directory of the session from now on; the agent's own until then. Absolute. */
  readonly cwd?: string;
}

export interface PromptOptions extends Omit<SubmitOptions, "key"> {
  /** Cancels the prompt. */
  readonly signal?: AbortSignal;
  /** Whether it is written down at once if it has to wait, so that the end of the process does not lose it. */
  readonly isKept?: boolean;
}

export interface EventsOptions {
  /** The id of the event that was read last; "0.0" for all. Absent: from now on. */
  readonly after?: string;
}

/** A command of the user that was answered without the model, such as `/info`. */
export interface CommandNote {
  readonly name: string;
  /** All that was typed, the name included. */
  readonly input: string;
  readonly output: string;
}

/** What a session came to so far. */
export interface SessionInfo {
  readonly session: Spending;
  /** Of today, over all sessions of the agent. */
  readonly day: Spending;
  /** Tokens of the next request without its new message. */
  readonly context: { readonly tokens: number; readonly measured: TokenMeasure; readonly window?: number };
}

/** Tokens of a session's next request before and after a summary took the place of older messages. */
export interface CompactionReport {
  readonly before: number;
  readonly after: number;
  readonly measured: TokenMeasure;
}

/** An open agent. */
export interface Agent {
  readonly name: string;
  readonly model: LanguageModel;
  /** Asked in this order where the model is unavailable. */
  readonly fallbacks: readonly LanguageModel[];
  /**
   * Builtin, inline and module tools, in the order in which a model sees them, for calls that a person makes: nobody is
   * asked, and what the user denies is an error.
   */
  readonly tools: readonly AgentTool[];
  /** The same for calls that nobody has seen, such as those of a recording: what would be asked is an error, too. */
  readonly permittedTools: readonly AgentTool[];
  /** What a model is told of the tools, in the same order: their wire names, descriptions and parameters. */
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
  /** Cancels a prompt that waits or runs in a session; resolves to false if there is none of this id. */
  cancel(prompt: string, session?: string): Promise<boolean>;
  /**
   * Runs one user input to completion; queued inputs of its session run first. `/skill:name` is expanded. Yields the events
   * of its turn. It begins with the first look at them, and goes on if nobody reads any more: `signal` cancels it. One that
   * is cancelled while it waits leaves no trace and reports nothing.
   * Rejects with `SessionInUseError`, `SessionIdError`, `UnknownSkillError`, `SkillFileError`, `UnknownPriceError` or
   * `JournalError`; what goes wrong afterwards is an event.
   */
  prompt(text: string, options?: PromptOptions): AsyncIterable<AgentEvent>;
  /**
   * Works off what an earlier process left behind in a session: the prompt that was cut short, then those that waited in
   * the queue. `prompt` and `compact` do so first, too. Tells nothing where nothing is left. Rejects as `prompt` does.
   */
  resume(options?: Omit<PromptOptions, "isKept">): AsyncIterable<AgentEvent>;
  /** What an earlier process left behind in a session. */
  leftovers(session?: string): Promise<readonly LeftoverPrompt[]>;
  /**
   * Says something to the running prompt of a session; the model is told before it is asked the next time. `/skill:name` is
   * expanded. Resolves when it is on disk; to false, with nothing done, where no prompt of the session runs that asks again.
   */
  steer(text: string, session?: string): Promise<boolean>;
  /**
   * Writes into a session's log what a command of the user was answered without the model, which is told nothing of it.
   * Throws as `messages` rejects.
   */
  note(command: CommandNote, session?: string): void;
  /**
   * Gives a session that this agent holds to whoever wants it, such as to delete it, when the prompts that are sent by now are
   * over. It is opened again at its next use.
   */
  release(session?: string): Promise<void>;
  /** The transcript of a session. */
  messages(session?: string): Promise<readonly Message[]>;
  /** Archives a session's history and starts a new log file; nothing is deleted. */
  clear(session?: string): Promise<void>;
  /**
   * Has older messages of a session replaced by a summary in what is sent; the session keeps them. Resolves to the tokens
   * of a request before and after, or to undefined where there is nothing to replace. Rejects with `ModelError`.
   */
  compact(session?: string, signal?: AbortSignal): Promise<CompactionReport | undefined>;
  /** What a session and the day came to. */
  info(session?: string): Promise<SessionInfo>;
  /**
   * Has something known in every session of the agent from the next prompt on. Resolves when it is in `state/memory.json`.
   * Rejects with `MemoryError`, as the next ones do, too.
   */
  remember(text: string): Promise<Memory>;
  /** All that is remembered, the oldest first; none where it cannot be read, which is warned of. */
  memories(): Promise<readonly Memory[]>;
  /** Takes a memory away and gives it; undefined where there is none with this id. */
  forget(id: string): Promise<Memory | undefined>;
  /** Adds the line `* text` to the end of AGENT.md, which is told from the next prompt on. Resolves when it is on disk. */
  addNote(text: string): Promise<AddedNote>;
  /** Exactly what a model would get as its system prompt. */
  systemPrompt(): Promise<string>;
  /** Stops modules and tool hosts and releases sessions. Never rejects; may be called twice. */
  close(): Promise<void>;
}

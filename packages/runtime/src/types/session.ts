import type {
  AgentEvent,
  AnswerWords,
  CompactionReport,
  Cost,
  PendingPrompt,
  Question,
  TokenMeasure,
  ToolOrigin,
  ToolResult,
} from "@mdx-ai/loop";
import type { ImageContent, LanguageModel, Message } from "@mdx-ai/models";
import type { PermissionMode, SkillDefinition, UsageLimits } from "@mdx-ai/parser";
import type { Answering, Checkpoint, UndoOptions, UndoResult } from "@mdx-ai/sessions";
import type { BackgroundCommand } from "@mdx-ai/tools";

export interface SubmitOptions {
  /** The caller's id for the prompt, unique within the session. Submitting the same key again does not start a second prompt. */
  readonly key?: string;
  /** Replaces the agent's model for this prompt. */
  readonly model?: LanguageModel;
  /** The session's working directory from now on. Default: the agent's workspace, else its directory. Absolute. */
  readonly cwd?: string;
  /** Images that follow the text. */
  readonly images?: readonly ImageContent[];
}

export interface PromptOptions extends SubmitOptions {
  /** Cancels the prompt. */
  readonly signal?: AbortSignal;
  /** Whether a queued prompt is written to disk at once, so that it survives the process. */
  readonly isKept?: boolean;
  /** Whether it lets all other prompts of the session go first that come before it begins. */
  readonly yields?: boolean;
  /** Limits of this prompt, besides those of the settings. */
  readonly limits?: UsageLimits;
  /** The task of heartbeat.md that it is for, for the usage log. */
  readonly task?: string;
}

/** Options for session work other than a prompt. */
export interface WorkOptions {
  /** Replaces the agent's model. */
  readonly model?: LanguageModel | undefined;
  /** Cancels the work. */
  readonly signal?: AbortSignal;
}

export interface EventsOptions {
  /** The id of the last event that was read; "0.0" for all events. Default: only new events. */
  readonly after?: string;
  /** Whether the stream waits for new events. If false, it ends after the last event so far. Default: true. */
  readonly isFollowing?: boolean;
  /** Ends the stream. The session's prompts continue. */
  readonly signal?: AbortSignal;
}

/** A file that the user adds to a prompt. */
export interface AttachedFile {
  /** Absolute, or relative to the working directory. */
  readonly path: string;
  /** The first line, from 1. Default 1. */
  readonly offset?: number;
  /** The maximum number of lines. Default: as many as fit. */
  readonly limit?: number;
}

/** A user command that was answered without the model, such as `/info`. */
export interface CommandNote {
  readonly name: string;
  /** The whole typed text, including the name. */
  readonly input: string;
  readonly output: string;
}

/** The usage of a session so far. */
export interface SessionInfo {
  readonly session: Cost;
  /** Today's usage, over all sessions of the agent. */
  readonly day: Cost;
  /** Tokens of the next request, without the new message. */
  readonly context: { readonly tokens: number; readonly measured: TokenMeasure; readonly window?: number };
}

/** A prompt that runs or waits. */
export interface ActivePrompt {
  /** As `submit` returned it. */
  readonly id: string;
  /** The input as the user wrote it. */
  readonly text: string;
  readonly state: "queued" | "running";
}

/** A skill of the agent, as one session sees it. */
export interface AgentSkill {
  readonly definition: SkillDefinition;
  /** Whether it is enabled in the session. */
  readonly isEnabled: boolean;
  /** The names of its tools, including the known tools of its MCP server. Only a session with the skill enabled can call them. */
  readonly tools: readonly string[];
  /** The search terms for its tools. */
  readonly tags: readonly string[];
}

/** An agent that works for a session. */
export interface RunningAgent {
  /** Its name. */
  readonly agent: string;
  /** The session that it works in. */
  readonly session: string;
  /** The last line that it said, or the tool that it called last; may be "". */
  readonly line: string;
  /** Whether the call has returned already. */
  readonly isBackground: boolean;
  /** What it has said and done so far. */
  messages(): Promise<readonly Message[]>;
  /** Stops it; the model receives what it has said so far. */
  stop(): void;
}

/**
 * A session of an open agent: a conversation that runs one prompt at a time. `submit`, `prompt`, `note`, `enable` and `disable` create a
 * missing session; all other methods throw or reject with `UnknownSessionError` and write nothing. The agent's default session always exists.
 * Methods that open the session also throw or reject with `AgentClosedError`, `SessionInUseError` or `JournalError`.
 */
export interface Session {
  readonly id: string;
  /** What tools may do without a question: the agent's mode, or `edits` if the user allowed all edits of the session. */
  readonly mode: PermissionMode;
  /** The commands that its model started in the background of this process, ended ones included. They end with the session. */
  readonly backgroundCommands: readonly BackgroundCommand[];
  /** The agents that work for it. */
  readonly agents: readonly RunningAgent[];
  /** The origin of each of the session's tools, by name, in the order in which a model receives them. */
  toolOrigins(): ReadonlyMap<string, ToolOrigin>;
  /**
   * Submits one user input. Resolves to the prompt's id when the input is on disk. The prompt runs whether or not its
   * events are read. `/skill:name` is expanded. Rejects with `PromptKeyError` if the key belongs to another input, and as `prompt` does.
   */
  submit(text: string, options?: SubmitOptions): Promise<string>;
  /**
   * Runs one user input to completion; queued inputs run first. `/skill:name` and `/mcp:server:prompt` are expanded. Yields the
   * events of its turn. It starts with the first read and continues if the reader leaves; `signal` cancels it. A prompt that is
   * cancelled while it is queued leaves no trace and has no events. With the `key` of a prompt that an earlier process began, finishes that
   * one; with the key of one that has ended, yields its events. Rejects with `AgentClosedError`, `SessionInUseError`, `UnknownSkillError`,
   * `SkillFileError`, `McpPromptError`, `UnknownPriceError`, `ModelMissingError` or `JournalError`; later failures are events.
   */
  prompt(text: string, options?: PromptOptions): AsyncIterable<AgentEvent>;
  /**
   * Yields the events after `after`, past and live; without `after`, only new ones. Readers may leave and come back at any time.
   * A slow reader can miss updates only. Ends when the agent is closed.
   */
  events(options?: EventsOptions): AsyncIterable<AgentEvent>;
  /**
   * Whether the session has had an event with this id, so that `events` can continue after it; true for "0.0". Rejects with
   * `UnknownSessionError`.
   */
  hasEvent(id: string): Promise<boolean>;
  /** The prompts that run or wait, in order, also those of an earlier process while they are resumed. Opens nothing. */
  readonly activePrompts: readonly ActivePrompt[];
  /** Cancels a queued, running or interrupted prompt for good. Resolves to false if there is no such prompt. */
  cancel(prompt: string): Promise<boolean>;
  /** The open questions in this process. `question_asked` events report new ones. */
  readonly openQuestions: readonly Question[];
  /**
   * Answers an open question with `yes`, `no`, another offered word, or the values that an MCP server asks for. Rejects with
   * `UnknownQuestionError`, `AnsweredQuestionError` or `AnswerError`. Default: the program answers.
   */
  answer(id: string, words: AnswerWords, answering?: Answering): Promise<void>;
  /**
   * Finishes the prompts left by an earlier process: the interrupted one, then the queued ones. `prompt` and `compact`
   * do so first, except for untrusted ones. Yields nothing if nothing is left. Rejects as `prompt` does.
   */
  resume(options?: WorkOptions): AsyncIterable<AgentEvent>;
  /** Whether the session has a prompt with this id, such as the `key` of an earlier call. Forgets the ids of very old ones. */
  hasPrompt(id: string): Promise<boolean>;
  /** The prompts left by an earlier process. `id` is for `cancel`. */
  pendingPrompts(): Promise<readonly (PendingPrompt & { readonly id: string })[]>;
  /**
   * Adds input to the running prompt; the next model request contains it. `/skill:name` is expanded. Resolves when it is on disk,
   * or to false if no running prompt will make another request. `images` follow the text.
   */
  steer(text: string, images?: readonly ImageContent[]): Promise<boolean>;
  /** Logs a command that was answered without the model. The model never sees it. */
  note(command: CommandNote): void;
  /**
   * Releases the session's lock once its prompts have ended, for example to delete the session. The next use opens it again. An agent
   * also releases its least recently used idle sessions.
   */
  release(): Promise<void>;
  /**
   * Deletes the session with all that it said, once its prompts have ended. Ends its event streams. Also rejects with what the file system
   * says.
   */
  delete(): Promise<void>;
  /** Gives the session another id, in the same way. This handle is then of a session that does not exist. Also rejects with `SessionExistsError`. */
  rename(id: string): Promise<void>;
  /**
   * Creates a session with the transcript up to a prompt; default: the last one that has ended. Resolves to the prompt's number. Also rejects
   * with `UnknownPromptError` or `SessionExistsError`.
   */
  fork(id: string, at?: number): Promise<number>;
  /** The transcript. */
  messages(): Promise<readonly Message[]>;
  /** Archives the history and starts a new log file; nothing is deleted. */
  clear(): Promise<void>;
  /** The agent's skills, and which of them are enabled in the session. */
  skills(): Promise<readonly AgentSkill[]>;
  /** Enables a skill from the next prompt on, permanently. Also rejects with `UnknownSkillError`. */
  enableSkill(name: string): Promise<void>;
  /** Disables a skill in the same way: the model does not see it, and its tools cannot be called. */
  disableSkill(name: string): Promise<void>;
  /** The prompts of the transcript, in order, with the files that their tools changed. */
  checkpoints(): Promise<readonly Checkpoint[]>;
  /**
   * Takes the last prompt out of the transcript and restores the files that its tools changed. Nothing is deleted. A file
   * that has changed since is left unless `force` is set; a file whose earlier content is not known is always left. After a crash,
   * the next call of `undo` or `rewind` finishes the work, unless a prompt has begun since. Resolves to undefined if the session
   * has no prompt.
   */
  undo(options?: UndoOptions): Promise<UndoResult | undefined>;
  /** Undoes the prompt with this number and all later ones. Rejects with `UnknownPromptError`. */
  rewind(prompt: number, options?: UndoOptions): Promise<UndoResult | undefined>;
  /**
   * Replaces older messages by a summary in requests; the session keeps them. Resolves to the tokens of a request before and
   * after, or to undefined if there is nothing to replace or it is cancelled. Rejects with `ModelError`.
   */
  compact(options?: WorkOptions): Promise<CompactionReport | undefined>;
  /** The usage of the session and of the day, and the context window of `model`. Default: the agent's model. */
  info(options?: Pick<WorkOptions, "model">): Promise<SessionInfo>;
  /**
   * Reads a file that the user adds to a prompt, as `read_file` does, and marks it as read. Calls `confirm` with
   * the reason if the permissions require a question. Rejects if the file cannot be read or access is
   * denied.
   */
  readAttachment(file: AttachedFile, confirm: (reason: string) => Promise<boolean>): Promise<ToolResult | string>;
}

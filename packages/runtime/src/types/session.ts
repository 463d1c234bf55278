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
import type { PermissionMode, SkillDefinition } from "@mdx-ai/parser";
import type { Checkpoint, UndoOptions, UndoResult } from "@mdx-ai/sessions";

export interface SubmitOptions {
  /** An id of the caller's for the prompt: a second submission of the same key is the same prompt. Unique within the session. */
  readonly key?: string;
  /** Replaces the agent's model for this prompt. */
  readonly model?: LanguageModel;
  /** Where the tools of the session work from now on; until then the agent's workspace, else its directory. Absolute. */
  readonly cwd?: string;
  /** Images that the model receives behind the text. */
  readonly images?: readonly ImageContent[];
}

export interface PromptOptions extends Omit<SubmitOptions, "key"> {
  /** Cancels the prompt. */
  readonly signal?: AbortSignal;
  /** Whether a prompt that has to wait is written to disk at once, so that it survives the process. */
  readonly isKept?: boolean;
}

/** How a session does work that is no prompt of its own. */
export interface WorkOptions {
  /** Replaces the agent's model. */
  readonly model?: LanguageModel | undefined;
  /** Cancels the work. */
  readonly signal?: AbortSignal;
}

export interface EventsOptions {
  /** The id of the event that was read last; "0.0" for all. Absent: from now on. */
  readonly after?: string;
  /** Ends the events; the session's prompts continue. */
  readonly signal?: AbortSignal;
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

/**
 * A session of an open agent: a conversation that runs one prompt at a time. `submit`, `prompt`, `note` and the choices of skills make a
 * session that does not exist; anything else throws or rejects with `UnknownSessionError`, and writes nothing. The agent's default session always exists.
 * What opens the session throws or rejects with `AgentClosedError`, `SessionInUseError` or `JournalError`, too.
 */
export interface Session {
  readonly id: string;
  /** What tools may do without a question: the agent's mode, or `edits` if the user allowed all edits of the session. */
  readonly mode: PermissionMode;
  /** Where each of the session's tools comes from, by its name, in the order in which a model receives them. */
  toolOrigins(): ReadonlyMap<string, ToolOrigin>;
  /**
   * Submits one user input. Resolves to the prompt's id when the input is on disk; the prompt runs whether or not anybody
   * reads its events. `/skill:name` is expanded. Rejects as `prompt` does.
   */
  submit(text: string, options?: SubmitOptions): Promise<string>;
  /**
   * Runs one user input to completion; queued inputs run first. `/skill:name` and `/mcp:server:prompt` are expanded. Yields the
   * events of its turn. It starts with the first read and continues if nobody reads any more; `signal` cancels it. A prompt that is
   * cancelled while it waits leaves no trace and has no events. Rejects with `AgentClosedError`, `SessionInUseError`, `UnknownSkillError`,
   * `SkillFileError`, `McpPromptError`, `UnknownPriceError`, `ModelMissingError` or `JournalError`; later failures are events.
   */
  prompt(text: string, options?: PromptOptions): AsyncIterable<AgentEvent>;
  /**
   * The events behind an event, live and past; without `after` from now on. Any number of readers may come, leave and come back.
   * A slow one loses updates at most. Ends when the agent is closed.
   */
  events(options?: EventsOptions): AsyncIterable<AgentEvent>;
  /** Cancels a prompt that waits, runs or was interrupted: it ends for good. Resolves to false if there is none of this id. */
  cancel(prompt: string): Promise<boolean>;
  /** The questions that wait for an answer in this process. `question_asked` events report new ones. */
  readonly openQuestions: readonly Question[];
  /**
   * Answers an open question: `yes`, `no`, another word that it offers, or the values that an MCP server asks for. Rejects with
   * `UnknownQuestionError`, `AnsweredQuestionError` or `AnswerError`.
   */
  answer(id: string, words: AnswerWords): Promise<void>;
  /**
   * Finishes the prompts that an earlier process left: the interrupted prompt, then the queued ones. `prompt` and `compact`
   * do so first, too, except for foreign ones. Yields nothing if nothing is left. Rejects as `prompt` does.
   */
  resume(options?: WorkOptions): AsyncIterable<AgentEvent>;
  /** The prompts that an earlier process left. */
  pendingPrompts(): Promise<readonly PendingPrompt[]>;
  /**
   * Adds input to the running prompt; the next model request contains it. `/skill:name` is expanded. Resolves when it is on disk,
   * or to false if no running prompt will ask the model again. `images` follow the text.
   */
  steer(text: string, images?: readonly ImageContent[]): Promise<boolean>;
  /** Logs a command that was answered without the model. The model never sees it. */
  note(command: CommandNote): void;
  /**
   * Releases the session's lock once its prompts have ended, for example to delete it. Its next use opens it again. An agent
   * releases sessions that it has not used for long by itself.
   */
  release(): Promise<void>;
  /** The transcript. */
  messages(): Promise<readonly Message[]>;
  /** Archives the history and starts a new log file; nothing is deleted. */
  clear(): Promise<void>;
  /** The agent's skills, and which of them the session has. */
  skills(): Promise<readonly AgentSkill[]>;
  /** Enables a skill from the next prompt on; the session keeps it. Rejects with `UnknownSkillError`, too. */
  enableSkill(name: string): Promise<void>;
  /** Disables a skill in the same way: the model learns nothing of it, and its tools cannot be called. */
  disableSkill(name: string): Promise<void>;
  /** The prompts of the transcript, in their order, with the files that their tools changed. */
  checkpoints(): Promise<readonly Checkpoint[]>;
  /**
   * Takes the last prompt out, and restores the files that its tools changed. Nothing is deleted from the session. A file
   * that has changed since is left as it is, unless `force` is set; so is one whose earlier content is not known. What a crash cut
   * short is finished by the next call of `undo` or `rewind`, unless a prompt has begun since. Resolves to undefined if the session
   * has no prompt.
   */
  undo(options?: UndoOptions): Promise<UndoResult | undefined>;
  /** The same for the prompt of this number and all that follow it. Rejects with `UnknownPromptError`. */
  rewind(prompt: number, options?: UndoOptions): Promise<UndoResult | undefined>;
  /**
   * Replaces older messages by a summary in requests; the session keeps them. Resolves to the tokens of a request before and
   * after, or to undefined if there is nothing to replace. Rejects with `ModelError`.
   */
  compact(options?: WorkOptions): Promise<CompactionReport | undefined>;
  /** The usage of the session and of the day. The window is that of `model`; by default of the agent's model. */
  info(options?: Pick<WorkOptions, "model">): Promise<SessionInfo>;
  /**
   * Reads a file that the user adds to a prompt, as the tool `read_file` does: the session has read it. `confirm` is asked, with
   * the reason, if the permissions would ask the user about it. Rejects with an error that says why the file cannot be read or must
   * not be.
   */
  readAttachment(file: AttachedFile, confirm: (reason: string) => Promise<boolean>): Promise<ToolResult | string>;
}

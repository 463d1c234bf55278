import type { Environment, JsonObject, JsonValue } from "@mdx-ai/base";
import type {
  AgentEvent,
  AgentTool,
  AnswerWords,
  PromptHook,
  PromptOutcome,
  Question,
  ToolOrigin,
  ToolResult,
} from "@mdx-ai/loop";
import type { AssistantMessage } from "@mdx-ai/models";
import type { AgentDirectory, PermissionMode } from "@mdx-ai/parser";

/** How a prompt ended, the model's last text, and the cost of all its model calls, including those of called agents. */
export interface PromptResult {
  readonly text: string;
  readonly outcome: PromptOutcome;
  /** US dollars; 0 if the price is unknown. */
  readonly usd: number;
  readonly tokens: number;
}

export interface ModulePromptOptions {
  /** The session's id; a missing session is created. Default: the agent's default session. */
  readonly session?: string;
  /** Cancels the prompt. */
  readonly signal?: AbortSignal;
  /** Your id for the prompt, unique within the session: a prompt with the same key is not run again, also after a restart. */
  readonly key?: string;
}

/** Values of a module by their keys, in a file of its own in `state/modules/`. They outlive the process. */
export interface ModuleState {
  /** Undefined if there is none. */
  get(key: string): Promise<JsonValue | undefined>;
  /** Resolves when the value is on disk. Rejects if it is not JSON, or if all values together are longer than 1 MB. */
  set(key: string, value: JsonValue): Promise<void>;
  /** Removes a value, if there is one. */
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}

/** A due time of a task. */
export interface ModuleDue {
  /** ISO 8601 in UTC. */
  readonly due: string;
  /** How many times the run stands for: more than 1 if some were missed. 0 if a person asked for it. */
  readonly count: number;
  /** Whether an earlier process began the run and did not end it. */
  readonly isResumed: boolean;
  /** Fires when the module is stopped. */
  readonly signal: AbortSignal;
}

/** A task that a module runs at its times, as the tasks of heartbeat.md run. Its prompts are what it costs. */
export interface ModuleTask {
  /** Unique within the module. */
  readonly name: string;
  /** Such as "15m", "every day at 09:00" or "0 9 * * 1-5". */
  readonly when: string;
  /** IANA name. Default: `timezone` of agent.mdx, else this machine's. */
  readonly timezone?: string;
  /** Whether times that were missed while no process ran run once, together; default "once". */
  readonly missed?: "once" | "skip";
  /** A task never overlaps itself. After a throw it runs again in 1, 5 and then every 30 minutes. */
  run(due: ModuleDue): Promise<void> | void;
}

/** What the runtime offers to a module. */
export interface ModuleContext {
  /** The version of this interface. A module that names another `apiVersion` is left out. */
  readonly apiVersion: 1;
  /** Absolute. */
  readonly agentDir: string;
  /** Fires when the module is stopped. */
  readonly signal: AbortSignal;
  /** The module's values, which outlive the process. */
  readonly state: ModuleState;
  /**
   * Runs a message as if the user had sent it; queued prompts run first. Rejects if the session cannot be used, and when
   * called from within a running prompt, which would wait for itself; the log then says so too. The outcome is "aborted"
   * if the prompt was cancelled, or the agent was closed meanwhile.
   */
  prompt(message: string, options?: ModulePromptOptions): Promise<PromptResult>;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
  /**
   * Calls `listener` with each event of the agent's prompts, and with the id of its session, until the returned function is called or the
   * module is stopped. The listener must be quick, and must not change the event.
   */
  subscribe(listener: (event: AgentEvent, session: string) => void): () => void;
  /**
   * Runs a task at its times; the returned function ends that. Call it in `initialize` or `start`: a task that is not scheduled by then is
   * forgotten. Nothing is due under `--prompt`. Rejects if the times cannot be read, or another task of the module has the name.
   */
  schedule(task: ModuleTask): Promise<() => void>;
  /**
   * Answers an open question of a session, the default one if absent: `yes`, `no`, another offered word, or the values that an MCP
   * server asks for. Rejects if there is no such question, or it does not take the answer.
   */
  answer(question: string, words: AnswerWords, session?: string): Promise<void>;
}

/** The prompt that a hook is called in. */
export interface HookEvent {
  /** The session's name. */
  readonly session: string;
  /** Unique to this session: an earlier or later session of the same name has another one. */
  readonly sessionKey: string;
  /** The number of the prompt in its session, from 1. */
  readonly prompt: number;
  /** The working directory of tools. Absolute. */
  readonly cwd: string;
  /** What the user allows tools without a question. */
  readonly mode: PermissionMode;
}

/** A prompt is about to begin. */
export interface BeforePromptEvent extends HookEvent {
  /** The user's message. */
  readonly input: string;
  /** Whether the session is new or cleared, so that the model receives no earlier message. */
  readonly isFirst: boolean;
  /** Fires when the prompt is aborted. */
  readonly signal: AbortSignal;
}

/** A permitted tool call is about to run. */
export interface BeforeToolEvent extends HookEvent {
  readonly callId: string;
  /** The tool's name, as its author wrote it. */
  readonly tool: string;
  /** The hook's own copy, with defaults filled in. */
  readonly args: JsonObject;
  /** Fires when the prompt is aborted. */
  readonly signal: AbortSignal;
}

/** A tool call has ended. */
export interface AfterToolEvent extends BeforeToolEvent {
  /** The hook's own copy. */
  readonly result: ToolResult;
  readonly isError: boolean;
}

/** The model has done its work, so that the prompt is about to end. */
export interface BeforeEndEvent extends HookEvent {
  /** The model's last text. */
  readonly text: string;
  /** Whether a hook has let the model continue in this prompt already. */
  readonly isContinued: boolean;
  /** Fires when the prompt is aborted. */
  readonly signal: AbortSignal;
}

/** A question waits for the user's answer. */
export interface QuestionEvent extends Omit<HookEvent, "prompt"> {
  readonly question: Question;
}

/** A prompt has ended. */
export interface AfterPromptEvent extends HookEvent {
  /** The model's last text. */
  readonly text: string;
  readonly outcome: PromptOutcome;
  /** The user's messages: the one that began the prompt, then those sent while it ran. Commands are as typed. */
  readonly inputs: readonly string[];
  /** The tools that returned a result, by their authors' names, in the order of their first calls. */
  readonly tools: readonly string[];
}

/** Tools of a module that change while it runs. A prompt keeps the tools that it began with. */
export interface ChangingTools {
  /** The current tools. Called again after a change. */
  tools(): readonly AgentTool[];
  /** Receives a function, once, to call whenever the tools have changed. */
  onChange(changed: () => void): void;
  /** Makes the tools available. Each prompt waits for it first, 10 s at most. */
  prepare?(signal: AbortSignal): Promise<void>;
}

/** The result of a hook: a value or nothing, or a promise of either. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook may end without a return statement.
type HookAnswer<Answer> = Answer | void | Promise<Answer | void>;

/**
 * The default export of a file in `modules/`: an object with at least one of these functions. Without `describe` a module has the name
 * of its file.
 *
 * Modules run in the order of their file names. A hook that throws, returns an invalid value or takes over 10 s is logged and has no
 * effect. A module that fails five times within a minute is stopped.
 *
 * @example
 * ```ts
 * import type { AgentModule } from "mdx-ai";
 *
 * export default {
 *   describe: () => ({ name: "clock", description: "Knows the time" }),
 *   beforePrompt: () => ({ context: `It is ${new Date().toISOString()}.` }),
 * } satisfies AgentModule;
 * ```
 */
export interface AgentModule {
  /** The version of this interface that the module is written for. Default: the program's. */
  readonly apiVersion?: 1;
  describe?(): { readonly name: string; readonly description: string };
  /** Runs once, before anything else of the module but `describe`. */
  initialize?(context: ModuleContext): Promise<void>;
  /** Tools for the model: a list, or an object whose tools may change while the module runs. */
  tools?(): AgentTool[] | ChangingTools;
  /** A section of the system prompt. */
  systemPrompt?(): string;
  /** Runs once all modules are initialized. */
  start?(): Promise<void>;
  /**
   * Releases what the module has opened. Always called once, also after `initialize` has failed. The program waits for it, 5 s at most; it
   * must not wait for a prompt.
   */
  stop?(): void | Promise<void>;
  /** Can return a text that the model receives after the user's message, or deny the prompt: no model receives it, and the user sees the reason. */
  beforePrompt?(event: BeforePromptEvent): HookAnswer<{ readonly context: string } | { readonly deny: string }>;
  /** Can deny the call: it does not run, and the model receives the reason. */
  beforeTool?(event: BeforeToolEvent): HookAnswer<{ readonly deny: string }>;
  /** Can return a text that the model receives after the results. */
  afterTool?(event: AfterToolEvent): HookAnswer<{ readonly context: string }>;
  /** Can let the model continue: it receives the text. Limits of the prompt still end it. */
  beforeEnd?(event: BeforeEndEvent): HookAnswer<{ readonly continue: string }>;
  /** Can answer the question with no. The user may answer at the same time. */
  onQuestion?(event: QuestionEvent): HookAnswer<{ readonly deny: string }>;
  afterPrompt?(event: AfterPromptEvent): HookAnswer<never>;
}

/** A module of the program. */
export interface ProgramModule extends AgentModule {
  /** The time limit of its hooks, in milliseconds. Default: 10 s, and 5 s for `stop`. */
  readonly hookLimit?: number;
  /** The origin of its tools. Default: the module. */
  readonly origin?: ToolOrigin;
  /** The skill that its tools belong to. Only sessions with this skill enabled get them. */
  readonly skill?: string;
  /**
   * Whether prompts keep it: when modules are reloaded, it runs on if the same object is among them again, else until no running prompt has
   * its tools. These are offered as they are.
   */
  readonly isKept?: boolean;
}

/** A shell command of a module, which runs where the tool `bash` runs. */
export interface HookCommand {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** For standard input. */
  readonly input: string;
  /** Besides the variables that the tool `bash` has. */
  readonly environment: Environment;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/** How a command ended. Long outputs are cut. */
export interface HookCommandEnd {
  /** Undefined if it did not start, was stopped or broke a limit. */
  readonly exitCode: number | undefined;
  readonly hasStarted: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** What an agent offers to modules of the program. */
export interface ProgramHost {
  /** Runs a command in the sandbox, as the tool `bash` does. Never rejects. */
  runCommand(command: HookCommand): Promise<HookCommandEnd>;
  /** Records the usage of an answer outside any prompt. Never rejects. */
  spend(answer: AssistantMessage): Promise<void>;
}

/** Modules that the program adds to the directory's own. */
export interface ProgramModules {
  /** Creates the modules: at the start, and whenever something that modules depend on has changed. Must not reject. */
  modulesOf(directory: AgentDirectory, host: ProgramHost): readonly ProgramModule[] | Promise<readonly ProgramModule[]>;
  /** Called when the session with this key is released. Must not throw. */
  onSessionEnd?(sessionKey: string): void;
  /** Called when the agent closes, after its prompts have ended. The close waits for it. Must not reject. */
  onClose?(): Promise<void>;
}

/**
 * The combined hooks of an agent's modules. Each method runs the hooks of one kind in the order of the modules' file names
 * and reports failures. No method rejects. Results are plain JSON.
 */
export interface ModuleHooks {
  /** The hooks that at least one module has. */
  readonly names: readonly PromptHook[];
  /** Returns the non-empty texts that the model receives after the user's message, or the first denial. */
  beforePrompt(
    event: BeforePromptEvent,
  ): Promise<{ readonly contexts: readonly PromptContext[]; readonly deny?: HookDenial }>;
  /** Returns the first denial. Later modules are not called. */
  beforeTool(event: BeforeToolEvent): Promise<{ readonly deny?: HookDenial }>;
  /** Returns the non-empty texts that the model receives after the results. */
  afterTool(event: AfterToolEvent): Promise<readonly string[]>;
  /** Returns the non-empty texts with which the model continues. */
  beforeEnd(event: BeforeEndEvent): Promise<readonly string[]>;
  /** Returns the first denial. */
  onQuestion(event: QuestionEvent): Promise<{ readonly deny?: HookDenial }>;
  afterPrompt(event: AfterPromptEvent): Promise<void>;
}

/** A text for the model, and the name of the module that added it. */
export interface PromptContext {
  readonly module: string;
  readonly text: string;
}

/** Why a call does not run, and the name of the module that denied it. */
export interface HookDenial {
  readonly module: string;
  readonly reason: string;
}

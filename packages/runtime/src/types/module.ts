import type { JsonObject } from "@mdx-ai/base";
import type { AgentTool, PromptHook, PromptOutcome, ToolResult } from "@mdx-ai/loop";
import type { AssistantMessage } from "@mdx-ai/models";
import type { AgentDirectory } from "@mdx-ai/parser";

/** How a prompt ended, and the model's last text. */
export interface PromptResult {
  readonly text: string;
  readonly outcome: PromptOutcome;
}

/** The functions and data that the runtime offers to a module. */
export interface ModuleContext {
  /** Absolute. */
  readonly agentDir: string;
  /**
   * Runs a message as if the user had sent it; queued prompts run first. Rejects if the session cannot be used, and when
   * called from within a running prompt, which would wait for itself; the log then says so too. The outcome is "aborted"
   * if the agent was closed meanwhile.
   */
  prompt(message: string): Promise<PromptResult>;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
}

/** The prompt that a hook is called in. */
interface HookEvent {
  /** The session's name. */
  readonly session: string;
  /** Distinguishes the session from all others, also from earlier and later ones of its name. */
  readonly sessionKey: string;
  /** The number of the prompt in its session, from 1. */
  readonly prompt: number;
}

/** A prompt is about to begin. */
export interface BeforePromptEvent extends HookEvent {
  /** The user's message. */
  readonly input: string;
  /** Whether the model receives no earlier message of the session, as in a new or cleared one. */
  readonly isFirst: boolean;
  /** Fires when the prompt is aborted. */
  readonly signal: AbortSignal;
}

/** A tool call is about to run, which the permissions allow. */
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

/** A prompt has ended. */
export interface AfterPromptEvent extends HookEvent, PromptResult {
  /** What the user said: the message that began the prompt, then those while it ran. A command is as it was typed. */
  readonly inputs: readonly string[];
  /** The tools that gave a result, as their authors named them, in the order of their first calls. */
  readonly tools: readonly string[];
}

/** The result of a hook: an answer or nothing, or a promise of that. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook may end without a return statement.
type HookAnswer<Answer> = Answer | void | Promise<Answer | void>;

/**
 * The default export of a file in `modules/`. A throw in any hook is logged and costs the agent that hook alone.
 *
 * The four hooks around prompts and tool calls may be left out. Those of several modules run in the order of their file
 * names. A hook that throws, returns something else or takes over 10 s is logged and changes nothing.
 *
 * @example
 * ```ts
 * import type { AgentModule } from "mdx-ai";
 *
 * export default {
 *   describe: () => ({ name: "clock", description: "Knows the time" }),
 *   initialize: async () => {},
 *   tools: () => [],
 *   systemPrompt: () => "",
 *   start: async () => {},
 *   stop: () => {},
 *   beforePrompt: () => ({ context: `It is ${new Date().toISOString()}.` }),
 * } satisfies AgentModule;
 * ```
 */
export interface AgentModule {
  describe(): { readonly name: string; readonly description: string };
  initialize(context: ModuleContext): Promise<void>;
  tools(): AgentTool[];
  systemPrompt(): string;
  start(): Promise<void>;
  stop(): void;
  /** May add a text that the model receives after the user's message. */
  beforePrompt?(event: BeforePromptEvent): HookAnswer<{ readonly context: string }>;
  /** May deny the call: it does not run, and the model receives the reason. */
  beforeTool?(event: BeforeToolEvent): HookAnswer<{ readonly deny: string }>;
  afterTool?(event: AfterToolEvent): HookAnswer<never>;
  afterPrompt?(event: AfterPromptEvent): HookAnswer<never>;
}

/** What an agent offers to modules of the program. */
export interface ProgramHost {
  /** Notes the usage of an answer that belongs to no prompt in the usage log. Never rejects. */
  spend(answer: AssistantMessage): Promise<void>;
}

/** Modules that the program adds to those of a directory. */
export interface ProgramModules {
  /** Makes them for the directory as it is now: at the start, and when something that modules depend on has changed. */
  modulesOf(directory: AgentDirectory, host: ProgramHost): readonly AgentModule[];
  /** The session of this key is released. Must not throw. */
  onSessionEnd?(sessionKey: string): void;
  /** The agent closes, and its prompts have ended; the close waits for this. Must not reject. */
  onClose?(): Promise<void>;
}

/**
 * Those hooks of all modules of an agent. Each method runs the hooks of one kind in the order of the modules' file names
 * and reports what fails. No method rejects. The answers are plain JSON.
 */
export interface ModuleHooks {
  /** The hooks that any module has. */
  readonly names: readonly PromptHook[];
  /** The texts that the model receives after the user's message, without empty ones. */
  beforePrompt(event: BeforePromptEvent): Promise<{ readonly contexts: readonly PromptContext[] }>;
  /** The first denial; the modules after it are not called. */
  beforeTool(event: BeforeToolEvent): Promise<{ readonly deny?: HookDenial }>;
  afterTool(event: AfterToolEvent): Promise<void>;
  afterPrompt(event: AfterPromptEvent): Promise<void>;
}

/** A text for the model, and the name of the module that added it. */
export interface PromptContext {
  readonly module: string;
  readonly text: string;
}

/** Why a call does not run, and the name of the module that denied it. */
interface HookDenial {
  readonly module: string;
  readonly reason: string;
}

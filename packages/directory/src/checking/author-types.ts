// Written by `npm run author-types` from the types of the runtime.
/** The types that authors of tools and modules may import, in one self-contained text. */
export const AUTHOR_TYPES = `/** Why a prompt ended. */
export type PromptOutcome = "done" | "error" | "aborted" | "limit";

/** How a prompt ended, and the model's last text. */
export interface PromptResult {
  readonly text: string;
  readonly outcome: PromptOutcome;
}

/** What the runtime offers to a module. */
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

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** What a tool does: it reads files, writes them, or runs commands. */
export type ToolEffect = "reads" | "writes" | "runs";

/** The display text of a call with valid arguments: \`$ npm test\`, \`read a.ts:10-40\`. */
export interface ToolLabel {
  /** The meaning of its arguments and the display of its result. */
  readonly kind: "command" | "read" | "search" | "list" | "write" | "edit" | "web" | "todo";
  /** "$", "read", … */
  readonly verb: string;
}

/** The decision about a call: it runs, the user is asked, or it is refused. */
export type PermissionAction = "allow" | "ask" | "deny";

/** The folders of a call. */
export interface ToolDirectories {
  /** Absolute. */
  readonly agentDir: string;
  /** The working directory: the workspace, else the agent directory. Absolute. */
  readonly cwd: string;
}

/** The access of a call, as far as it is known before the call runs. */
export type ToolAccess =
  /** An absolute path with all symbolic links resolved, also for a file that does not exist. */
  | { readonly kind: "read" | "write"; readonly path: string }
  | { readonly kind: "command"; readonly command: string }
  /** As \`sandbox.network\` lists hosts, such as \`example.com\` or \`127.0.0.1:8080\`. */
  | { readonly kind: "host"; readonly host: string }
  /** The access is unknown, so only the arguments can be checked. */
  | { readonly kind: "call" };

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  /** In an answer: the provider's data to send back with the text, byte for byte. */
  readonly signature?: string;
}

export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** Tokens of one model call; all counts are integers. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of \`output\` used for thinking. */
  readonly thinking: number;
  /** Input, cached input included, and output. */
  readonly total: number;
  /** Set if the provider sent no counts and these are estimated. */
  readonly estimated?: true;
}

/** The usage and cost of model calls: of a prompt, a session or a day. */
export interface Cost {
  readonly usage: Usage;
  /** US dollars for the answers with a known price. */
  readonly usd: number;
  /** How many of \`calls\` have no known price. */
  readonly unpriced: number;
  /** Answers and attempts that cost tokens. */
  readonly calls: number;
  /** Total latency of the models in milliseconds. */
  readonly latency: number;
}

/** The result of a tool. */
export interface ToolResult {
  readonly content: readonly (TextContent | ImageContent)[];
  readonly isError?: boolean;
  /** For user interfaces and logs; never sent to a model. */
  readonly details?: JsonValue;
  /** The cost of model calls that the tool made. It counts for the limits of the prompt. */
  readonly cost?: Cost;
}

/** The context that a tool receives with its arguments. */
export interface ToolContext extends ToolDirectories {
  /** Fires when the prompt is aborted or the tool times out. */
  readonly signal: AbortSignal;
  /** The session of the call; "none" outside a session, as in \`mdx-ai tool\`. */
  readonly sessionId: string;
  /** Unique among the calls of the session. */
  readonly callId: string;
  /** The permitted access; absent if no permission was needed. */
  readonly access?: ToolAccess;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
  /**
   * Shows the user a partial result; the model never sees it. Does nothing after the call has ended. Throws if the value is
   * not JSON.
   */
  update(partial: string | ToolResult): void;
}

/**
 * A tool that a model can call: builtin, inline in agent.mdx, from a module, or added by a program. \`Arguments\` is
 * the type that \`parameters\` describes.
 */
export interface AgentTool<Arguments = JsonObject> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of an object. \`execute\` receives only valid, declared arguments, with defaults filled in. */
  readonly parameters: JsonObject;
  /** Whether it changes nothing, so that it may run again after a crash. Default false. */
  readonly readOnly?: boolean;
  /**
   * What it does. "reads": it is read-only; "writes": its changes through \`keeper\` can be undone; "runs": it runs commands in
   * the sandbox, which is prepared while the call's arguments arrive, and its changes are not known. Absent: unknown.
   */
  readonly effects?: ToolEffect;
  /** The display text of a call. Default: name and arguments. */
  readonly label?: ToolLabel;
  /** Names of equivalent tools in other programs. Case and separators are ignored. */
  readonly aliases?: readonly string[];
  /** Whether an interrupted call may be repeated. Default false. */
  readonly idempotent?: boolean;
  /** The author's permission for its calls; the user's permissions override it. Default "allow". */
  readonly permission?: PermissionAction;
  /** The access of a call. Default: unknown. Throws if it cannot be determined, as \`execute\` would. */
  access?(args: Arguments, place: ToolDirectories): Promise<ToolAccess>;
  /** The model receives a string unchanged. A throw becomes an error result with the error's text. */
  execute(args: Arguments, context: ToolContext): Promise<string | ToolResult>;
}

/** The prompt that a hook is called in. */
interface HookEvent {
  /** The session's name. */
  readonly session: string;
  /** Unique to this session: an earlier or later session of the same name has another one. */
  readonly sessionKey: string;
  /** The number of the prompt in its session, from 1. */
  readonly prompt: number;
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

/** The result of a hook: a value or nothing, or a promise of either. */
type HookAnswer<Answer> = Answer | void | Promise<Answer | void>;

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

/** A prompt has ended. */
export interface AfterPromptEvent extends HookEvent, PromptResult {
  /** The user's messages: the one that began the prompt, then those sent while it ran. Commands are as typed. */
  readonly inputs: readonly string[];
  /** The tools that returned a result, by their authors' names, in the order of their first calls. */
  readonly tools: readonly string[];
}

/**
 * The default export of a file in \`modules/\`: an object with at least one of these functions. Without \`describe\` a module has the name
 * of its file.
 *
 * Modules run in the order of their file names. A throw in a hook is logged and disables only that call. A hook that throws, returns
 * an invalid value or takes over 10 s is logged and has no effect.
 *
 * @example
 * \`\`\`ts
 * import type { AgentModule } from "mdx-ai";
 *
 * export default {
 *   describe: () => ({ name: "clock", description: "Knows the time" }),
 *   beforePrompt: () => ({ context: \`It is \${new Date().toISOString()}.\` }),
 * } satisfies AgentModule;
 * \`\`\`
 */
export interface AgentModule {
  describe?(): { readonly name: string; readonly description: string };
  /** Runs once, before anything else of the module but \`describe\`. */
  initialize?(context: ModuleContext): Promise<void>;
  /** Tools for the model. */
  tools?(): AgentTool[];
  /** A section of the system prompt. */
  systemPrompt?(): string;
  /** Runs once all modules are initialized. */
  start?(): Promise<void>;
  /** Releases what the module has opened. */
  stop?(): void;
  /** Can return a text that the model receives after the user's message. */
  beforePrompt?(event: BeforePromptEvent): HookAnswer<{ readonly context: string }>;
  /** Can deny the call: it does not run, and the model receives the reason. */
  beforeTool?(event: BeforeToolEvent): HookAnswer<{ readonly deny: string }>;
  afterTool?(event: AfterToolEvent): HookAnswer<never>;
  afterPrompt?(event: AfterPromptEvent): HookAnswer<never>;
}
`;

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

/**
 * What tools may do without a question: \`ask\` asks about writes in the workspace, \`edits\` does not, \`plan\` allows reading alone, and
 * \`all\` asks about nothing that stays in the workspace, the agent directory and the sandbox.
 */
export type PermissionMode = "ask" | "edits" | "plan" | "all";

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

/** The model has done its work, so that the prompt is about to end. */
export interface BeforeEndEvent extends HookEvent {
  /** The model's last text. */
  readonly text: string;
  /** Whether a hook has let the model continue in this prompt already. */
  readonly isContinued: boolean;
  /** Fires when the prompt is aborted. */
  readonly signal: AbortSignal;
}

interface QuestionHead {
  /** Unique in its session. For the approval of a call: prompt, turn and call, each from 1, such as "3.1.2"; for a limit, turn 0 and a number. */
  readonly id: string;
  /** The id of the session. */
  readonly session: string;
  /** The agent that asks, if it works for the session's; the names from the session's to it, such as "lead › reviewer". */
  readonly agent?: string;
  /** When the default becomes the answer, in milliseconds since 1970; absent if there is no deadline. */
  readonly deadline?: number;
  /** The answer after the deadline. */
  readonly default: "no";
}

/** The origin of a tool. */
export type ToolOrigin =
  | "builtin"
  | "inline"
  | \`module:\${string}\`
  | \`skill:\${string}\`
  | \`mcp:\${string}\`
  | \`agent:\${string}\`
  | \`custom:\${string}\`;

/** An access of a command beyond its sandbox, requested or allowed. */
export type SandboxAccess =
  /** As \`sandbox.network\` lists hosts, such as \`example.com\` or \`127.0.0.1:8080\`. */
  | { readonly kind: "host"; readonly host: string }
  /** Absolute and real; a folder includes everything in it. */
  | { readonly kind: "write"; readonly path: string }
  /** Absolute and real; a folder includes everything in it except secrets. \`name\` is another path that leads there by a link. */
  | { readonly kind: "read"; readonly path: string; readonly name?: string }
  /** Everything: this command runs without a sandbox. */
  | { readonly kind: "outside"; readonly command: string };

/** The access of a call, or an access of a running call's command beyond its sandbox. */
export type AskedAccess = ToolAccess | { readonly kind: "sandbox"; readonly wanted: SandboxAccess };

/** A question about a call, before it runs or after the sandbox blocked its command. */
export interface ApprovalRequest {
  /** The session's name. */
  readonly session: string;
  readonly toolCallId: string;
  /** As in the head of the question. */
  readonly agent?: string;
  readonly toolName: string;
  /** The origin of the tool: another tool may have the name of a builtin. Absent for a question about the sandbox. */
  readonly toolOrigin?: ToolOrigin;
  /** The arguments that the tool would receive. */
  readonly args: JsonObject;
  /** The display text of the call, as in \`tool_execution_start\`. Absent for a question about the sandbox. */
  readonly label?: ToolLabel;
  readonly access: AskedAccess;
  /** Why the user is asked; a line without a full stop. */
  readonly reason: string;
  /** The scope of "always" and "this session": a pattern such as \`bash(git status)\`, or a line about the sandbox. */
  readonly pattern: string;
  /** The scope of "prefix": a pattern such as \`bash(git status *)\`; absent if that answer is not offered. */
  readonly prefix?: string;
  /** Whether "edits" is offered: the call writes in the workspace, and only the mode requires the question. */
  readonly offersEdits?: boolean;
}

/** May a call run, or a command reach beyond its sandbox? */
export interface ApprovalSubject {
  readonly kind: "approval";
  readonly request: ApprovalRequest;
  /** The hash of the tool's code; absent for a builtin. An answer applies to this code only. */
  readonly codeHash?: string;
  /** The tool's limits that are not enforced; absent if there are none. */
  readonly unheld?: string;
}

/** A question of a server for the user: a form with its schema, or an address to open. */
export type McpQuestion =
  | { readonly type: "form"; readonly message: string; readonly schema: JsonObject }
  | { readonly type: "url"; readonly message: string; readonly url: string };

/** An MCP server asks for values, or asks the user to open an address. */
export interface Elicitation {
  readonly kind: "elicitation";
  readonly server: string;
  readonly request: McpQuestion;
}

/** An MCP server asks the user to sign in at an address. It is answered when the sign-in is complete. */
interface SignIn {
  readonly kind: "sign_in";
  readonly server: string;
  readonly url: string;
}

/** A limit that ends a prompt. */
export type LimitName =
  | "turns"
  | "tokens"
  | "usd"
  | "seconds"
  | "repeats"
  | "pauses"
  | "session.tokens"
  | "session.usd"
  | "day.tokens"
  | "day.usd"
  | "agent.tokens"
  | "agent.usd";

/** A prompt has reached a limit: may it spend more? */
export interface BudgetSubject {
  readonly kind: "budget";
  readonly limit: LimitName;
  /** What is spent, and what may be: turns, tokens or US dollars. */
  readonly spent: number;
  readonly value: number;
  /** How much more a yes allows. */
  readonly adds: number;
}

/** What a question is about. */
export type QuestionSubject = ApprovalSubject | Elicitation | SignIn | BudgetSubject;

/** A question to the user. JSON. */
export type Question = QuestionHead & QuestionSubject;

/** A question waits for the user's answer. */
export interface QuestionEvent extends Omit<HookEvent, "prompt"> {
  readonly question: Question;
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
`;

/**
 * The types that authors of tools and modules may import, in one self-contained text. A test compares it with the types of
 * the runtime.
 */
export const AUTHOR_TYPES = `export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  readonly signature?: string;
}

export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** The result of a tool, if a string or JSON is not enough. */
export interface ToolResult {
  readonly content: readonly (TextContent | ImageContent)[];
  readonly isError?: boolean;
  /** For user interfaces and logs; never sent to a model. */
  readonly details?: JsonValue;
}

/** What a call was permitted to access. */
export type ToolTouch =
  | { readonly kind: "read" | "write"; readonly path: string }
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "call" };

/** What a tool receives beside its arguments. */
export interface ToolContext {
  /** Absolute. */
  readonly agentDir: string;
  /** The working directory. Absolute. */
  readonly cwd: string;
  /** Fires when the prompt is aborted or the tool times out. */
  readonly signal: AbortSignal;
  /** The session of the call; "none" without a session. */
  readonly sessionId: string;
  /** Unique within the session. */
  readonly callId: string;
  readonly touch?: ToolTouch;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
  /** Shows the user a partial result; the model never sees it. */
  update(partial: string | ToolResult): void;
}

/** A tool of a module. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of an object. */
  readonly parameters: JsonObject;
  /** Whether it changes nothing. */
  readonly readOnly?: boolean;
  /** Whether an interrupted call may be repeated. */
  readonly idempotent?: boolean;
  /** The author's request for its calls; the user's permissions decide. */
  readonly permission?: "allow" | "ask" | "deny";
  /** What a call would access. */
  touch?(args: JsonObject): Promise<ToolTouch>;
  execute(args: JsonObject, context: ToolContext): Promise<string | ToolResult>;
}

/** How a prompt ended, and the model's last text. */
export interface PromptResult {
  readonly text: string;
  readonly outcome: "done" | "error" | "aborted" | "limit";
}

/** What the runtime offers to a module. */
export interface ModuleContext {
  /** Absolute. */
  readonly agentDir: string;
  /** Runs a message as if the user had sent it; queued prompts run first. */
  prompt(message: string): Promise<PromptResult>;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
}

/** The prompt that a hook is called in. */
interface HookEvent {
  /** The session's name. */
  readonly session: string;
  /** The number of the prompt in its session, from 1. */
  readonly prompt: number;
}

/** A prompt is about to begin. */
export interface BeforePromptEvent extends HookEvent {
  /** The user's message. */
  readonly input: string;
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
export interface AfterPromptEvent extends HookEvent, PromptResult {}

type HookAnswer<Answer> = Answer | void | Promise<Answer | void>;

/** The default export of a file in modules/. */
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
`;

/** The types that the code of a tool may use without an import, as in the specification. */
export const GLOBAL_TYPES = `import type * as authored from "mdx-ai";

declare global {
  type ToolContext = authored.ToolContext;
  type ToolResult = authored.ToolResult;
}
`;

/** Files that Bun imports as text, such as through `with { type: "text" }`, and that its own types do not declare. */
export const FILE_TYPES: string = ["csv", "graphql", "md", "mdx", "prompt", "sql", "tsv"]
  .map((ending) => `declare module "*.${ending}" {\n  const text: string;\n  export default text;\n}\n`)
  .join("\n");

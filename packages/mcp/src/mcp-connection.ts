import type { JsonObject, JsonValue } from "@mdx-ai/base";
import type { ImageContent, TextContent } from "@mdx-ai/models";
import type { McpServerDefinition } from "@mdx-ai/parser";

/** A tool as its server lists it, unchanged. */
export interface McpTool {
  /** The name that the server uses. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /** The server's hints. They are not guaranteed. */
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly title?: string;
  };
}

/** The result of a call. */
export interface McpCallResult {
  /** Texts and images; a resource or link becomes a text that names its URI. Cut to a size limit; a text reports the cut. */
  readonly content: readonly (TextContent | ImageContent)[];
  readonly isError: boolean;
  readonly structuredContent?: JsonValue;
}

export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface McpCallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: McpProgress) => void;
}

export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface McpPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[];
}

/** A question of a server for the user: a form with its schema, or an address to open. */
export type McpQuestion =
  | { readonly type: "form"; readonly message: string; readonly schema: JsonObject }
  | { readonly type: "url"; readonly message: string; readonly url: string };

export type McpAnswer =
  | { readonly action: "accept"; readonly content?: JsonObject }
  | { readonly action: "decline" | "cancel" };
/** A sign-in that waits for the user. */
export interface McpSignIn {
  /** Fires when it has ended, however that was. */
  readonly ended: AbortSignal;
  /** Ends it: the user does not sign in. */
  refuse(): void;
}

export type McpState =
  | { readonly type: "idle" | "connecting" | "connected" | "closed" }
  /** `retryAt`: milliseconds since 1970; absent if there will be no automatic retry. */
  | { readonly type: "failed"; readonly reason: string; readonly retryAt?: number };

/** Milliseconds. */
export interface McpLimits {
  /** For a first connection, a sign-in excluded. Default 30,000. */
  readonly connect?: number;
  /**
   * Between two signs of life of a call, such as progress; does not run while the user answers a question. Default: `timeout` of the
   * server, or 120,000.
   */
  readonly call?: number;
  /** Before the first try to reconnect; each further wait is twice as long, up to a minute. Default 1,000. */
  readonly backOff?: number;
  /** For each way to end a program: closing its input, then SIGTERM, then SIGKILL. Default 2,000. */
  readonly end?: number;
}

export interface McpConnectionOptions {
  readonly name: string;
  /** `${VAR}` references are not resolved yet. */
  readonly server: McpServerDefinition;
  /** Base of relative paths. Absolute. */
  readonly baseDir: string;
  /** The user's variables. They resolve `${VAR}`; only a few are passed to a program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders that a server without `roots` may work in, such as the workspace. Absolute. Returned to servers that request roots. */
  readonly roots?: readonly string[];
  readonly limits?: McpLimits;
  /** The folder for OAuth tokens, stored with mode 600. Absolute. Without it, tokens are kept in memory. */
  readonly tokensDirectory?: string;
  /** Called when the state, the tools, the resources or the prompts have changed. */
  readonly onChange?: () => void;
  /** Asks the user; without it, every question is declined. */
  readonly onQuestion?: (question: McpQuestion, signal: AbortSignal) => Promise<McpAnswer>;
  /** Shows the address where the user signs in. Without it, a server that requires a sign-in fails, and the reason says so. */
  readonly onSignIn?: (url: string, signIn: McpSignIn) => void;
  /** Receives each problem as one line without a newline. `isLoss`: part of what the server offers cannot be used. */
  readonly onWarning?: (message: string, isLoss: boolean) => void;
}

/** Receives a server's mistake as the rest of a sentence. `isLoss`: part of what the server offers cannot be used. */
export type Warn = (message: string, isLoss?: boolean) => void;

/** A connection to one MCP server. Connects on first use and reconnects after a failure. */
export interface McpConnection {
  readonly name: string;
  readonly state: McpState;
  /** The latest list; empty before the first connection. */
  readonly tools: readonly McpTool[];
  /** Connects, unless it is connected or waiting to retry. Never rejects; `state` has the outcome. */
  connect(signal?: AbortSignal): Promise<void>;
  /** Connects if necessary. Rejects with `McpError`. */
  call(tool: string, args: JsonObject, options: McpCallOptions): Promise<McpCallResult>;
  /** Rejects with `McpError`, as do the methods below. */
  resources(signal?: AbortSignal): Promise<readonly McpResource[]>;
  readResource(uri: string, signal?: AbortSignal): Promise<readonly (TextContent | ImageContent)[]>;
  prompts(signal?: AbortSignal): Promise<readonly McpPrompt[]>;
  /** The text of a prompt for a model. */
  prompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string>;
  /** Closes the connection and kills the server process with all its children. Never rejects. */
  close(): Promise<void>;
}

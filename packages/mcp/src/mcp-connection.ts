import type { JsonObject, JsonValue } from "@mdx-ai/base";
import type { ImageContent, TextContent } from "@mdx-ai/models";
import type { McpServerDefinition } from "@mdx-ai/parser";

/** A tool as its server lists it, unchanged. */
export interface McpTool {
  /** The server's own name for it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /** Hints of the server, which nothing guarantees. */
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly title?: string;
  };
}

/** What a call gave. */
export interface McpCallResult {
  /** Texts and images; resources and links are texts that name their URI. Cut to a bound, which the text then says. */
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

/** What a server wants to know from the user: a form by its schema, or an address to open. */
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
  /** `retryAt`: milliseconds since 1970; absent: not again by itself. */
  | { readonly type: "failed"; readonly reason: string; readonly retryAt?: number };

/** Milliseconds. */
export interface McpLimits {
  /** For a first connection, a sign-in excluded. Default 30,000. */
  readonly connect?: number;
  /** Between two signs of life of a call, such as progress; questions to the user excluded. Default: `timeout` of the server, or 120,000. */
  readonly call?: number;
  /** Before the first try to reconnect; each further wait is twice as long, up to a minute. Default 1,000. */
  readonly backOff?: number;
  /** For each way to end a program: closing its input, then SIGTERM, then SIGKILL. Default 2,000. */
  readonly end?: number;
}

export interface McpConnectionOptions {
  readonly name: string;
  /** With all `${VAR}` still in place. */
  readonly server: McpServerDefinition;
  /** Of relative paths. Absolute. */
  readonly baseDir: string;
  /** The variables of the user: replace `${VAR}`, and few of them reach a program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders that the server may work in, such as the workspace. Absolute. It is asked for them by servers that know roots. */
  readonly roots?: readonly string[];
  readonly limits?: McpLimits;
  /** Where tokens of OAuth are kept, with mode 600. Absolute. Without it they last as long as the process. */
  readonly tokensDirectory?: string;
  /** Called when tools, resources or prompts changed, or the state. */
  readonly onChange?: () => void;
  /** Asks the user; without it, every question is declined. */
  readonly onQuestion?: (question: McpQuestion, signal: AbortSignal) => Promise<McpAnswer>;
  /** Shows an address that the user opens to sign in. Without it, a server that wants a sign-in fails with a reason that says so. */
  readonly onSignIn?: (url: string, signIn: McpSignIn) => void;
  /** Receives one line for each problem, without a newline. `isLoss`: something that the server has cannot be used. */
  readonly onWarning?: (message: string, isLoss: boolean) => void;
}

/** Receives what a server did wrong, as the rest of a sentence. `isLoss`: something that it has cannot be used. */
export type Warn = (message: string, isLoss?: boolean) => void;

/** A connection to one MCP server, which connects when it is needed and again after a failure. */
export interface McpConnection {
  readonly name: string;
  readonly state: McpState;
  /** As listed last; empty before the first connection. */
  readonly tools: readonly McpTool[];
  /** Connects unless it is connected or waits for its next try. Never rejects: `state` says what came of it. */
  connect(signal?: AbortSignal): Promise<void>;
  /** Connects if necessary. Rejects with `McpError`. */
  call(tool: string, args: JsonObject, options: McpCallOptions): Promise<McpCallResult>;
  /** Rejects with `McpError`, as the following do. */
  resources(signal?: AbortSignal): Promise<readonly McpResource[]>;
  readResource(uri: string, signal?: AbortSignal): Promise<readonly (TextContent | ImageContent)[]>;
  prompts(signal?: AbortSignal): Promise<readonly McpPrompt[]>;
  /** The text of a prompt for a model. */
  prompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string>;
  /** Ends the connection, and a server that it started, with all that this one started. Never rejects. */
  close(): Promise<void>;
}

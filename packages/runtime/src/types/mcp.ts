import type {
  McpAnswer,
  McpCallOptions,
  McpCallResult,
  McpPrompt,
  McpQuestion,
  McpResource,
  McpState,
  McpTool,
} from "@mdx-ai/mcp";
import type { ImageContent, JsonObject, TextContent } from "@mdx-ai/models";
import type { McpServerDefinition } from "@mdx-ai/parser";

/** An MCP server, and who declares it. */
export interface DeclaredServer {
  readonly name: string;
  readonly definition: McpServerDefinition;
  /** Of its relative paths. Absolute. */
  readonly baseDir: string;
  /** Such as `agent.mdx`, `skill mcp_demo` or a file of the user's. */
  readonly declaredBy: string;
  /** The skill that it belongs to. */
  readonly skill?: string;
}

/** An MCP server of an open agent. It connects when it is needed; closing the agent ends it. */
export interface AgentServer extends Omit<DeclaredServer, "skill"> {
  /** The skill that it belongs to; undefined if it belongs to none. */
  readonly skill: string | undefined;
  readonly state: McpState;
  /** As listed last and as far as its declaration offers them; empty before it is connected. */
  readonly tools: readonly McpTool[];
  /** Connects unless it is connected or waits for its next try. Never rejects: `state` shows the result. */
  connect(signal?: AbortSignal): Promise<void>;
  /** Calls a tool for a person: nobody is asked. Connects if necessary. Rejects with `McpError`, as the following do. */
  call(tool: string, args: JsonObject, options: McpCallOptions): Promise<McpCallResult>;
  resources(signal?: AbortSignal): Promise<readonly McpResource[]>;
  readResource(uri: string, signal?: AbortSignal): Promise<readonly (TextContent | ImageContent)[]>;
  prompts(signal?: AbortSignal): Promise<readonly McpPrompt[]>;
  /** The text of a prompt for a model. */
  prompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string>;
}

/** Answers a question that a server has for the user. Rejects when `signal` fires. */
export type AnswerServer = (server: string, question: McpQuestion, signal: AbortSignal) => Promise<McpAnswer>;

export type { McpAnswer, McpCallResult, McpPrompt, McpQuestion, McpResource, McpState, McpTool } from "@mdx-ai/mcp";

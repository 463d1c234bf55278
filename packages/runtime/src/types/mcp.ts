import type { AskingCall } from "@mdx-ai/loop";
import type { McpAnswer, McpConnection, McpQuestion, McpTool } from "@mdx-ai/mcp";
import type { McpServerDefinition } from "@mdx-ai/parser";

/** A declared MCP server. */
export interface DeclaredServer {
  readonly name: string;
  readonly definition: McpServerDefinition;
  /** The base of its relative paths. Absolute. */
  readonly baseDir: string;
  /** The source of the declaration, such as `agent.mdx`, `skill mcp_demo` or a settings file of the user. */
  readonly declaredBy: string;
  /** The skill that it belongs to. */
  readonly skill?: string;
}

/** The part of a connection that is exposed to callers. */
type SharedConnection = Pick<
  McpConnection,
  "state" | "connect" | "call" | "resources" | "readResource" | "prompts" | "prompt"
>;

/**
 * An MCP server of an open agent. It connects on demand and ends with the agent. `call` is meant for a person and asks for no
 * approval.
 */
export interface AgentServer extends Omit<DeclaredServer, "skill">, SharedConnection {
  /** The skill that declares it; undefined for any other server. */
  readonly skill: string | undefined;
  /** The tools from the last listing that the declaration allows. Empty before the first connection. */
  readonly tools: readonly McpTool[];
  /** The names, as visible text, of listed tools that cannot be used because of them. */
  readonly leftOut: readonly string[];
}

/** A running call of a server's tool. */
export interface ServerCall {
  readonly session: string;
  /** Fires when the call is aborted. */
  readonly signal: AbortSignal;
  /** Absent outside a prompt. */
  readonly asking?: AskingCall | undefined;
}

/** Answers a server's question to the user. Rejects when `signal` fires. */
export type AnswerServer = (server: string, question: McpQuestion, signal: AbortSignal) => Promise<McpAnswer>;

export type { McpAnswer, McpCallResult, McpPrompt, McpQuestion, McpResource, McpState, McpTool } from "@mdx-ai/mcp";

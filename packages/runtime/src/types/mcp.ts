import type { AskingCall } from "@mdx-ai/loop";
import type { McpAnswer, McpConnection, McpQuestion, McpTool } from "@mdx-ai/mcp";
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

/** The part of a connection that an agent's server shares. */
type SharedConnection = Pick<
  McpConnection,
  "state" | "connect" | "call" | "resources" | "readResource" | "prompts" | "prompt"
>;

/**
 * An MCP server of an open agent. It connects when it is needed; closing the agent ends it. Its `call` is for a person: nobody is
 * asked.
 */
export interface AgentServer extends Omit<DeclaredServer, "skill">, SharedConnection {
  /** The skill that it belongs to; undefined if it belongs to none. */
  readonly skill: string | undefined;
  /** As listed last and as far as its declaration offers them; empty before it is connected. */
  readonly tools: readonly McpTool[];
}

/** A call of a server's tool that runs. */
export interface ServerCall {
  readonly session: string;
  /** Fires when the call is aborted. */
  readonly signal: AbortSignal;
  /** Absent outside of a session's prompt. */
  readonly asking?: AskingCall | undefined;
}

/** Answers a question that a server has for the user. Rejects when `signal` fires. */
export type AnswerServer = (server: string, question: McpQuestion, signal: AbortSignal) => Promise<McpAnswer>;

export type { McpAnswer, McpCallResult, McpPrompt, McpQuestion, McpResource, McpState, McpTool } from "@mdx-ai/mcp";

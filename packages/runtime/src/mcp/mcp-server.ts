import type { McpConnection, McpConnectionOptions, McpPrompt, McpResource, McpState, McpTool } from "@mdx-ai/mcp";
import type { ImageContent, TextContent } from "@mdx-ai/models";
import { untilAborted } from "../abort.ts";
import type { Clock } from "../clock.ts";
import { lineText } from "../log/line-text.ts";
import type { AgentServer, AnswerServer, DeclaredServer } from "../types/mcp.ts";
import type { AgentTool, ToolSource } from "../types/tool.ts";
import { isUsableName, mcpTool, toolFingerprint } from "./mcp-tool.ts";

/** How long a prompt waits for a server that connects. */
const PATIENCE = 3_000;

export interface McpServerParts extends Pick<McpConnectionOptions, "environment" | "roots" | "tokensDirectory"> {
  readonly clock: Clock;
  /** Receives a line about what the user should know. */
  readonly onWarning: (message: string) => void;
  /** Receives a line for the agent's log. */
  readonly onNote: (message: string) => void;
  /** Without it, questions are declined. */
  readonly onQuestion?: AnswerServer;
  /** Shows an address by which the user signs in to a server. */
  readonly onSignIn?: (server: string, url: string) => void;
}

/** A server of an agent. Its connection and the client behind it are loaded when it first connects. */
export class McpServer implements AgentServer {
  readonly declared: DeclaredServer;
  readonly #parts: McpServerParts;
  readonly #listeners = new Set<() => void>();
  #opening: Promise<McpConnection> | undefined;
  #connection: McpConnection | undefined;
  #isClosed = false;
  /** Since when it connects, while it does. */
  #connecting: { readonly since: number; readonly done: Promise<void> } | undefined;
  /** Whether the user knows that it is not available. */
  #isMissed = false;
  #offered: OfferedTools = { listed: [], tools: [], agentTools: [] };

  constructor(declared: DeclaredServer, parts: McpServerParts) {
    this.declared = declared;
    this.#parts = parts;
  }

  get name(): string {
    return this.declared.name;
  }

  get definition(): DeclaredServer["definition"] {
    return this.declared.definition;
  }

  get baseDir(): string {
    return this.declared.baseDir;
  }

  get declaredBy(): string {
    return this.declared.declaredBy;
  }

  get skill(): string | undefined {
    return this.declared.skill;
  }

  get state(): McpState {
    return this.#connection?.state ?? { type: this.#isClosed ? "closed" : this.#opening ? "connecting" : "idle" };
  }

  get tools(): readonly McpTool[] {
    return this.#current.tools;
  }

  /** Its tools for a model. The same objects until its list changes. */
  get agentTools(): readonly AgentTool[] {
    return this.#current.agentTools;
  }

  /** Identifies the definition of a tool, by the name of the agent's tool; undefined if it is none of this server. */
  fingerprint(toolName: string): string | undefined {
    const { tools, agentTools } = this.#current;
    const tool = tools[agentTools.findIndex(({ name }) => name === toolName)];
    return tool && toolFingerprint(this.definition, tool);
  }

  /** Its tools for a model whose names are accepted, each replaced by `change`. */
  source(accepts: (name: string) => boolean, change: (tool: AgentTool) => AgentTool): ToolSource {
    const { skill } = this.declared;
    return {
      origin: `mcp:${this.name}`,
      ...(skill !== undefined && { skill }),
      prepare: (signal) => this.#prepare(signal),
      tools: () => this.agentTools.filter(({ name }) => accepts(name)).map(change),
      onChange: (changed) => {
        this.#listeners.add(changed);
      },
    };
  }

  async connect(signal?: AbortSignal): Promise<void> {
    const connection = await this.#open();
    await connection.connect(signal);
    this.#report();
  }

  async call(...[tool, args, options]: Parameters<McpConnection["call"]>): ReturnType<McpConnection["call"]> {
    return (await this.#open()).call(tool, args, options);
  }

  async resources(signal?: AbortSignal): Promise<readonly McpResource[]> {
    return (await this.#open()).resources(signal);
  }

  async readResource(uri: string, signal?: AbortSignal): Promise<readonly (TextContent | ImageContent)[]> {
    return (await this.#open()).readResource(uri, signal);
  }

  async prompts(signal?: AbortSignal): Promise<readonly McpPrompt[]> {
    return (await this.#open()).prompts(signal);
  }

  async prompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string> {
    return (await this.#open()).prompt(name, args, signal);
  }

  /** Ends the connection and what it started. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    const connection = await this.#opening?.catch(() => undefined);
    await connection?.close();
  }

  /** Begins to connect, for whoever needs it first. */
  begin(): { readonly since: number; readonly done: Promise<void> } {
    this.#connecting ??= { since: this.#parts.clock.now(), done: this.#connectAlone() };
    return this.#connecting;
  }

  /** Connects, and waits a short time for it. Never rejects. */
  async #prepare(signal: AbortSignal): Promise<void> {
    if (this.#isClosed || this.state.type === "connected") return;
    const { clock } = this.#parts;
    const { since, done } = this.begin();
    const patience = since + PATIENCE - clock.now();
    if (patience > 0)
      await untilAborted(
        () => within(done, patience, clock),
        signal,
        () => undefined,
      );
    if (this.#connecting !== undefined && !signal.aborted) {
      this.#miss(`has not connected within ${PATIENCE / 1000} seconds; its tools join a later prompt`);
    }
  }

  /** Not for one prompt alone: a prompt that ends meanwhile does not stop it. Never rejects. */
  async #connectAlone(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      this.#miss(`cannot be used: ${lineText(error)}`);
    } finally {
      this.#connecting = undefined;
    }
  }

  #report(): void {
    const { state } = this;
    if (state.type === "connected") {
      this.#isMissed = false;
      this.#note(`is connected, with ${this.tools.length} tools`);
    }
    if (state.type === "failed") this.#miss(`is not available: ${state.reason}`);
  }

  /** The user is told once until it is connected, the log each time. */
  #miss(problem: string): void {
    if (this.#isClosed) return;
    this.#note(problem);
    if (!this.#isMissed) this.#parts.onWarning(`the MCP server ${this.name} ${problem}`);
    this.#isMissed = true;
  }

  #note(text: string): void {
    this.#parts.onNote(`MCP server ${this.name}: ${text}`);
  }

  #open(): Promise<McpConnection> {
    this.#opening ??= this.#openConnection();
    return this.#opening;
  }

  async #openConnection(): Promise<McpConnection> {
    const { openMcpConnection } = await import("@mdx-ai/mcp");
    const { environment, roots, tokensDirectory, onQuestion, onSignIn } = this.#parts;
    const connection = await openMcpConnection({
      ...{ name: this.name, server: this.definition, baseDir: this.baseDir, environment },
      ...(roots !== undefined && { roots }),
      ...(tokensDirectory !== undefined && { tokensDirectory }),
      ...(onQuestion && { onQuestion: (question, signal) => onQuestion(this.name, question, signal) }),
      ...(onSignIn && { onSignIn: (url) => onSignIn(this.name, url) }),
      onChange: () => this.#changed(),
      onWarning: (message) => this.#parts.onNote(message),
    });
    this.#connection = connection;
    if (this.#isClosed) await connection.close();
    return connection;
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  get #current(): OfferedTools {
    const connection = this.#connection;
    if (connection === undefined || connection.tools === this.#offered.listed) return this.#offered;
    const offered = this.definition.tools;
    const wanted = connection.tools.filter(({ name }) => offered?.includes(name) !== false);
    const tools = wanted.filter(({ name }) => isUsableName(name));
    if (tools.length < wanted.length) {
      this.#note(`${wanted.length - tools.length} tools are left out, since their names cannot be used`);
    }
    const agentTools = tools.map((tool) => mcpTool(this.name, tool, connection));
    this.#offered = { listed: connection.tools, tools, agentTools };
    return this.#offered;
  }
}

/** What a server lists, and what of it the agent has. */
interface OfferedTools {
  readonly listed: readonly McpTool[];
  readonly tools: readonly McpTool[];
  /** In the same order. */
  readonly agentTools: readonly AgentTool[];
}

/** Resolves when work is done, or the time is over. */
async function within(work: Promise<void>, milliseconds: number, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(milliseconds, resolve);
  await Promise.race([work, promise]);
  cancel();
}

import { defined } from "@mdx-ai/base";
import type { AgentTool } from "@mdx-ai/loop";
import type {
  McpAnswer,
  McpConnection,
  McpConnectionOptions,
  McpPrompt,
  McpResource,
  McpSignIn,
  McpState,
  McpTool,
} from "@mdx-ai/mcp";
import type { ImageContent, TextContent } from "@mdx-ai/models";
import type { AskedByServer } from "@mdx-ai/sessions";
import type { AgentServer, DeclaredServer, ServerCall } from "../types/mcp.ts";
import type { ProgramModule } from "../types/module.ts";
import { fitted, NO_TOOLS, type OfferedTools, offeredTools } from "./offered-tools.ts";
import { type ReadinessOptions, ServerReadiness } from "./server-readiness.ts";

export interface McpServerParts
  extends ReadinessOptions,
    Pick<McpConnectionOptions, "environment" | "roots" | "tokensDirectory"> {
  /** Whether it connects at once if it is declared with `connect: eager`. */
  readonly connects: boolean;
  /** Without it, questions are declined. */
  readonly onQuestion?: (asked: AskedByServer, signal: AbortSignal) => Promise<McpAnswer>;
  /** Shows the address where the user signs in to a server. */
  readonly onSignIn?: (
    asked: { readonly server: string; readonly url: string; readonly session: string | undefined },
    signIn: McpSignIn,
  ) => void;
}

/** How long the close may take, in milliseconds: a program that ends neither with its input nor when asked is killed after four seconds. */
const MAX_CLOSING = 10_000;

/** A server of an agent. Loads the client on the first connection. */
export class McpServer implements AgentServer {
  readonly declared: DeclaredServer;
  /** Offers its tools to the agent, and ends it when no prompt uses them any more. */
  readonly module: ProgramModule;
  readonly #parts: McpServerParts;
  readonly #listeners = new Set<() => void>();
  readonly #readiness: ServerReadiness;
  #opening: Promise<McpConnection> | undefined;
  #connection: McpConnection | undefined;
  #isClosed = false;
  #offered = NO_TOOLS;
  /** The running calls, the latest last. */
  readonly #calls: ServerCall[] = [];

  constructor(declared: DeclaredServer, parts: McpServerParts) {
    this.declared = declared;
    this.#parts = parts;
    const waits = parts.waits || declared.definition.connect === "eager";
    this.#readiness = new ServerReadiness(this, { ...parts, waits });
    this.module = this.#asModule();
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
    if (this.#isClosed) return { type: "closed" };
    return this.#connection?.state ?? { type: this.#opening ? "connecting" : "idle" };
  }

  get tools(): readonly McpTool[] {
    return this.#current.tools;
  }

  get leftOut(): readonly string[] {
    return this.#current.leftOut;
  }

  /** Its tools for a model. The objects stay the same until the list changes. */
  get agentTools(): readonly AgentTool[] {
    return this.#current.agentTools;
  }

  async connect(signal?: AbortSignal): Promise<void> {
    const connection = await this.#open();
    await connection.connect(signal);
    this.#readiness.report(this.tools.length);
  }

  async call(...[tool, args, options]: Parameters<McpConnection["call"]>): ReturnType<McpConnection["call"]> {
    return (await this.#open()).call(tool, args, options);
  }

  async resources(signal?: AbortSignal): Promise<readonly McpResource[]> {
    return (await this.#open()).resources(signal);
  }

  async readResource(uri: string, signal?: AbortSignal): Promise<readonly (TextContent | ImageContent)[]> {
    return fitted(await (await this.#open()).readResource(uri, signal));
  }

  async prompts(signal?: AbortSignal): Promise<readonly McpPrompt[]> {
    return (await this.#open()).prompts(signal);
  }

  async prompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string> {
    return (await this.#open()).prompt(name, args, signal);
  }

  /** Closes the connection and ends the server process. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    const connection = await this.#opening?.catch(() => undefined);
    await connection?.close();
  }

  #asModule(): ProgramModule {
    const { name, definition, skill } = this.declared;
    return {
      describe: () => ({ name: `mcp:${name}`, description: `The tools of the MCP server ${name}` }),
      ...{ origin: `mcp:${name}`, isKept: true, hookLimit: MAX_CLOSING },
      ...defined({ skill }),
      tools: () => ({
        tools: () => this.agentTools,
        onChange: (changed) => void this.#listeners.add(changed),
        prepare: (signal) => this.#readiness.prepare(signal),
      }),
      // A skill's server waits for a session with the skill enabled.
      start: async () => {
        if (this.#parts.connects && definition.connect === "eager" && skill === undefined) this.#readiness.begin();
      },
      stop: () => this.close(),
    };
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
      ...defined({ roots, tokensDirectory }),
      ...(onQuestion && {
        onQuestion: (request, signal) => {
          const { session, asking, signal: stop = signal } = this.#caller();
          return onQuestion({ server: this.name, request, session, asking }, AbortSignal.any([signal, stop]));
        },
      }),
      ...(onSignIn && {
        onSignIn: (url, signIn) => onSignIn({ server: this.name, url, session: this.#calls.at(-1)?.session }, signIn),
      }),
      onChange: () => this.#changed(),
      onWarning: (message, isLoss) => (isLoss ? this.#readiness.lose(message) : this.#parts.onNote(message)),
    });
    this.#connection = connection;
    if (this.#isClosed) await connection.close();
    return connection;
  }

  /** Registers a call. Returns the function that ends it. */
  #begin(call: ServerCall): () => void {
    this.#calls.push(call);
    return () => void this.#calls.splice(this.#calls.lastIndexOf(call), 1);
  }

  /** The call that a question belongs to. The protocol does not say: if several run, the session of the latest is a guess. */
  #caller(): Partial<ServerCall> {
    const [first, other] = this.#calls;
    if (other === undefined) return first ?? {};
    const { session } = this.#calls.at(-1) ?? {};
    return session === undefined ? {} : { session };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  get #current(): OfferedTools {
    const connection = this.#connection;
    if (connection === undefined || connection.tools === this.#offered.listed) return this.#offered;
    this.#offered = offeredTools(connection, this.declared, {
      onLoss: (text) => this.#readiness.lose(`the MCP server ${this.name} ${text}`),
      onCall: (call) => this.#begin(call),
    });
    return this.#offered;
  }
}

import { type Clock, lineText, untilAborted, within } from "@mdx-ai/base";
import type { McpState } from "@mdx-ai/mcp";
import { connectLimit } from "@mdx-ai/mcp/connect-limit";
import type { McpServerDefinition } from "@mdx-ai/parser";

/** A server that prompts wait for. */
interface ConnectingServer {
  readonly name: string;
  readonly state: McpState;
  readonly definition: McpServerDefinition;
  connect(): Promise<void>;
}

export interface ReadinessOptions {
  readonly clock: Clock;
  /** Whether a prompt waits until the server is connected or has failed; otherwise it waits a short time. */
  readonly waits: boolean;
  /** Receives a line about what the user should know. */
  readonly onWarning: (message: string) => void;
  /** Receives a line for the agent's log. */
  readonly onNote: (message: string) => void;
}

/** How long a prompt waits for a server that it may do without. */
const SHORT = 3_000;

/** How much longer than a connection may take it waits for another one, whose failure says more. A sign-in may take longer. */
const MORE = 2_000;

/** Connects a server for the prompts that need it, and says whether it is available: the user is told once that it is not. */
export class ServerReadiness {
  readonly #server: ConnectingServer;
  readonly #options: ReadinessOptions;
  /** Since when it connects, while it does. */
  #connecting: { readonly since: number; readonly done: Promise<void> } | undefined;
  /** Whether the user knows that it is not available. */
  #isMissed = false;
  /** What the user knows that cannot be used. */
  readonly #lost = new Set<string>();

  constructor(server: ConnectingServer, options: ReadinessOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** Begins to connect, for whichever prompt needs the server first. */
  begin(): { readonly since: number; readonly done: Promise<void> } {
    this.#connecting ??= { since: this.#options.clock.now(), done: this.#connect() };
    return this.#connecting;
  }

  /** Connects, and waits for it, a limited time. Never rejects. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { type } = this.#server.state;
    if (type === "closed" || type === "connected") return;
    const { clock, waits } = this.#options;
    const { since, done } = this.begin();
    const limit = waits ? connectLimit(this.#server.definition) + MORE : SHORT;
    const patience = since + limit - clock.now();
    const wait = () => within(done, patience, (milliseconds, callback) => clock.after(milliseconds, callback));
    if (patience > 0) await untilAborted(wait, signal, () => undefined);
    if (this.#connecting !== undefined && !signal.aborted) {
      this.#miss(`has not connected within ${limit / 1000} seconds; its tools join a later prompt`);
    }
  }

  /** Reports the result of an attempt to connect. */
  report(toolCount: number): void {
    const { state } = this.#server;
    if (state.type === "failed") this.#miss(`is not available: ${state.reason}`);
    if (state.type !== "connected") return;
    this.#isMissed = false;
    this.note(`is connected, with ${toolCount} tools`);
  }

  note(text: string): void {
    this.#options.onNote(`MCP server ${this.#server.name}: ${text}`);
  }

  /** Reports that something of the server cannot be used: to the user once. */
  lose(message: string): void {
    this.#options.onNote(message);
    if (!this.#lost.has(message)) this.#options.onWarning(message);
    this.#lost.add(message);
  }

  /** Not for one prompt alone: a prompt that ends meanwhile does not stop it. Never rejects. */
  async #connect(): Promise<void> {
    try {
      await this.#server.connect();
    } catch (error) {
      this.#miss(`cannot be used: ${lineText(error)}`);
    } finally {
      this.#connecting = undefined;
    }
  }

  /** The log has the problem each time. */
  #miss(problem: string): void {
    if (this.#server.state.type === "closed") return;
    this.note(problem);
    if (!this.#isMissed) this.#options.onWarning(`the MCP server ${this.#server.name} ${problem}`);
    this.#isMissed = true;
  }
}

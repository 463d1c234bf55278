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
  /** Receives a line for the user. */
  readonly onWarning: (message: string) => void;
  /** Receives a line for the agent's log. */
  readonly onNote: (message: string) => void;
}

/** How long a prompt waits for an optional server. */
const SHORT = 3_000;

/** How much longer than the connection timeout it waits for any other server, so that the server's own error is reported. A sign-in may take longer. */
const MORE = 2_000;

/** Connects a server for the prompts that need it. Warns the user once if it is not available. */
export class ServerReadiness {
  readonly #server: ConnectingServer;
  readonly #options: ReadinessOptions;
  /** When the current attempt to connect began; undefined if there is none. */
  #connecting: { readonly since: number; readonly done: Promise<void> } | undefined;
  /** Whether the user was warned that it is not available. */
  #isMissed = false;
  /** The warnings that were sent about unusable parts. */
  readonly #lost = new Set<string>();

  constructor(server: ConnectingServer, options: ReadinessOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** Begins to connect in the background. */
  begin(): { readonly since: number; readonly done: Promise<void> } {
    this.#connecting ??= { since: this.#options.clock.now(), done: this.#connect() };
    return this.#connecting;
  }

  /** Connects and waits a limited time. Never rejects. */
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

  /** Reports the result of a connection attempt. */
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

  /** Reports an unusable part of the server, to the user only once. */
  lose(message: string): void {
    this.#options.onNote(message);
    if (!this.#lost.has(message)) this.#options.onWarning(message);
    this.#lost.add(message);
  }

  /** Shared by all prompts: a prompt that ends meanwhile does not stop it. Never rejects. */
  async #connect(): Promise<void> {
    try {
      await this.#server.connect();
    } catch (error) {
      this.#miss(`cannot be used: ${lineText(error)}`);
    } finally {
      this.#connecting = undefined;
    }
  }

  /** Logs the problem each time. */
  #miss(problem: string): void {
    if (this.#server.state.type === "closed") return;
    this.note(problem);
    if (!this.#isMissed) this.#options.onWarning(`the MCP server ${this.#server.name} ${problem}`);
    this.#isMissed = true;
  }
}

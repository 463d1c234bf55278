import type { McpConnectionOptions, McpTool } from "../mcp-connection.ts";
import { McpError } from "../mcp-error.ts";
import type { ClientLibrary, Link } from "../transports/open-link.ts";
import { withVariables } from "../variables.ts";
import type { ClientSession } from "./client-session.ts";
import { openingReason, openSession, type ServerEra, type ServerList, type SessionOptions } from "./open-session.ts";
import { SessionQuestions } from "./session-questions.ts";
import { TimeLimit } from "./time-limit.ts";

export interface OpenerEvents {
  readonly onEnd: (session: ClientSession, reason: string) => void;
  readonly onListChange: (list: ServerList) => void;
  readonly onWarning: (message: string) => void;
}

interface Opened {
  readonly session: ClientSession;
  readonly tools: readonly McpTool[];
}

const CONNECT_LIMIT = 30_000;
const CALL_LIMIT = 120;
const END_LIMIT = 2_000;

/** Opens a connection again and again. It remembers what it has learned of the server. */
export class ConnectionOpener {
  readonly #options: McpConnectionOptions;
  readonly #events: OpenerEvents;
  #era: ServerEra = "unknown";
  #mayRetry = true;
  /** The links that are being opened. */
  readonly #links = new Set<Link>();
  #isClosed = false;

  constructor(options: McpConnectionOptions, events: OpenerEvents) {
    this.#options = options;
    this.#events = events;
  }

  /** Whether another try may succeed where the last one failed, without anybody's help. */
  get mayRetry(): boolean {
    return this.#mayRetry;
  }

  /** Rejects with `McpError`. */
  async open(): Promise<Opened> {
    this.#mayRetry = false;
    const server = withVariables(this.#options.server, this.#options.environment);
    const library = await import("@modelcontextprotocol/client");
    const connectLimit = this.#options.limits?.connect ?? CONNECT_LIMIT;
    const late = Promise.withResolvers<never>();
    // Nobody may be waiting for it.
    late.promise.catch(() => {});
    const limit = new TimeLimit(connectLimit, () => {
      late.reject(new McpError(`the server did not connect within ${connectLimit / 1000} s`));
    });
    try {
      return await this.#tried(library, server, limit, late.promise);
    } finally {
      limit.end();
    }
  }

  /** Breaks off what is being opened. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#links].map((link) => link.transport.close().catch(() => {})));
  }

  async #tried(
    library: ClientLibrary,
    server: McpConnectionOptions["server"],
    limit: TimeLimit,
    late: Promise<never>,
  ): Promise<Opened> {
    const era = this.#era;
    try {
      return await this.#attempt(library, server, limit, late, era);
    } catch (error) {
      // Some old programs end when they are asked anything before the handshake.
      const mayBeOld = era === "unknown" && (server.transport === "stdio" || server.transport === "tcp");
      if (!mayBeOld || limit.isOver || this.#isClosed || !this.#mayRetry) throw error;
      return this.#attempt(library, server, limit, late, "legacy");
    }
  }

  async #attempt(
    library: ClientLibrary,
    server: McpConnectionOptions["server"],
    limit: TimeLimit,
    late: Promise<never>,
    era: ServerEra,
  ): Promise<Opened> {
    const questions = new SessionQuestions(this.#options.onQuestion);
    questions.join(limit);
    let session: ClientSession | undefined;
    const options: SessionOptions = {
      ...this.#events,
      server,
      questions,
      place: {
        baseDir: this.#options.baseDir,
        environment: this.#options.environment,
        endLimit: this.#options.limits?.end ?? END_LIMIT,
      },
      roots: this.#options.roots ?? [],
      callLimit: this.#options.limits?.call ?? (server.timeout ?? CALL_LIMIT) * 1000,
      onEnd: (reason) => {
        if (session) this.#events.onEnd(session, reason);
      },
    };
    const opening = await openSession(library, options, era);
    const { link } = opening;
    this.#links.add(link);
    try {
      session = await Promise.race([opening.opened, late]);
      const tools = await Promise.race([session.tools(), late]);
      this.#era = era;
      return { session, tools };
    } catch (error) {
      this.#mayRetry = !(error instanceof McpError) || limit.isOver;
      opening.opened.catch(() => {});
      await link.transport.close().catch(() => {});
      throw new McpError(openingReason(error, link), { cause: error });
    } finally {
      this.#links.delete(link);
    }
  }
}

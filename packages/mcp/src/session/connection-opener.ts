import type { McpServerDefinition } from "@mdx-ai/parser";
import type { McpConnectionOptions, McpTool, Warn } from "../mcp-connection.ts";
import { McpError, SignInError } from "../mcp-error.ts";
import { SignIn } from "../sign-in/sign-in.ts";
import { SignInStore } from "../sign-in/sign-in-store.ts";
import type { ClientLibrary } from "../transports/client-library.ts";
import type { Link } from "../transports/open-link.ts";
import { withVariables } from "../variables.ts";
import { afterSignIns } from "./after-sign-ins.ts";
import type { ClientSession } from "./client-session.ts";
import { connectLimit } from "./connect-limit.ts";
import { openingReason, openSession, type ServerEra, type SessionOptions } from "./open-session.ts";
import type { ServerList } from "./server-list.ts";
import { rootsFor } from "./server-roots.ts";
import { SessionQuestions } from "./session-questions.ts";
import { TimeLimit } from "./time-limit.ts";

export interface OpenerEvents {
  readonly onEnd: (session: ClientSession, reason: string) => void;
  /** A request or a stream broke off; the server may have gone. */
  readonly onTrouble: (session: ClientSession) => void;
  readonly onListChange: (list: ServerList) => void;
  readonly onWarning: Warn;
}

interface Opened {
  readonly session: ClientSession;
  readonly tools: readonly McpTool[];
}

/** One attempt to connect, which may open several connections. */
interface Try {
  readonly library: ClientLibrary;
  /** Its variables are resolved. */
  readonly server: McpServerDefinition;
  readonly signIn: SignIn | undefined;
  readonly questions: SessionQuestions;
  readonly limit: TimeLimit;
  /** Rejects when the time limit is reached. */
  readonly late: Promise<never>;
}

const CALL_LIMIT = 120;
const END_LIMIT = 2_000;

/** Opens connections and remembers what it learned about the server. */
export class ConnectionOpener {
  readonly #options: McpConnectionOptions;
  readonly #events: OpenerEvents;
  #era: ServerEra = "unknown";
  #mayRetry = true;
  #signIn: SignIn | undefined;
  /** Links that are being opened. */
  readonly #links = new Set<Link>();
  #isClosed = false;

  constructor(options: McpConnectionOptions, events: OpenerEvents) {
    this.#options = options;
    this.#events = events;
  }

  /** Whether another attempt may succeed without the user's help. */
  get mayRetry(): boolean {
    return this.#mayRetry;
  }

  /** Rejects with `McpError`. */
  async open(): Promise<Opened> {
    this.#mayRetry = false;
    const server = withVariables(this.#options.server, this.#options.environment);
    const library = await import("@modelcontextprotocol/client");
    const milliseconds = this.#options.limits?.connect ?? connectLimit(server);
    const late = Promise.withResolvers<never>();
    // Avoid an unhandled rejection if nothing is waiting.
    late.promise.catch(() => {});
    const limit = new TimeLimit(milliseconds, () => {
      const seconds = milliseconds / 1000;
      late.reject(
        new McpError(`the server did not connect within ${seconds} s; raise connect_timeout to allow more time`),
      );
    });
    const questions = new SessionQuestions(this.#options.onQuestion);
    const leave = questions.join(limit);
    try {
      return await this.#tried({
        library,
        server,
        limit,
        late: late.promise,
        questions,
        signIn: this.#signInTo(server),
      });
    } finally {
      leave();
      limit.end();
    }
  }

  /** Aborts connections that are being opened. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#signIn?.close();
    await Promise.all([...this.#links].map((link) => link.transport.close().catch(() => {})));
  }

  #signInTo({ transport, url = "", oauth = {} }: McpServerDefinition): SignIn | undefined {
    if (transport !== "http" && transport !== "sse") return undefined;
    const { tokensDirectory, onSignIn } = this.#options;
    this.#signIn ??= new SignIn({
      oauth,
      store: new SignInStore(url, tokensDirectory, this.#events.onWarning),
      onSignIn,
    });
    return this.#signIn.isUseful ? this.#signIn : undefined;
  }

  async #tried(one: Try): Promise<Opened> {
    const era = this.#era;
    try {
      return await afterSignIns(one, () => this.#attempt(one, era));
    } catch (error) {
      // Some old servers exit on any request before the handshake.
      const mayBeOld = era === "unknown" && (one.server.transport === "stdio" || one.server.transport === "tcp");
      if (!mayBeOld || one.limit.isOver || this.#isClosed || !this.#mayRetry) throw this.#reason(error, one);
      return await this.#attempt(one, "legacy").catch((again) => {
        throw this.#reason(again, one);
      });
    }
  }

  async #attempt(one: Try, era: ServerEra): Promise<Opened> {
    let session: ClientSession | undefined;
    const options = this.#sessionOptions(one, {
      onEnd: (reason) => session && this.#events.onEnd(session, reason),
      onTrouble: () => session && this.#events.onTrouble(session),
    });
    const { link, opened } = await openSession(one.library, options, era);
    this.#links.add(link);
    one.signIn?.use(link.finishSignIn);
    try {
      session = await Promise.race([opened, one.late]);
      const tools = await Promise.race([session.tools(), one.late]);
      // A program stays the same while it runs; a remote server may change.
      this.#era = session.isLegacy && !link.finishSignIn ? "legacy" : "unknown";
      return { session, tools };
    } catch (error) {
      this.#mayRetry = !(error instanceof McpError) || one.limit.isOver;
      opened.catch(() => {});
      // Read the reason before the link is closed, which would change it.
      const reason = openingReason(error, link);
      await link.transport.close().catch(() => {});
      throw isUnauthorized(error, one.library) ? error : new McpError(reason, { cause: error });
    } finally {
      this.#links.delete(link);
    }
  }

  #sessionOptions(
    { server, questions, signIn }: Try,
    events: Pick<SessionOptions, "onEnd" | "onTrouble">,
  ): SessionOptions {
    const { baseDir, environment, roots: standard = [], limits = {} } = this.#options;
    const roots = rootsFor(server, { baseDir, standard });
    const { onListChange, onWarning } = this.#events;
    return {
      server,
      questions,
      signIn,
      place: { baseDir, written: [baseDir, ...standard], environment, endLimit: limits.end ?? END_LIMIT },
      roots,
      callLimit: limits.call ?? (server.timeout ?? CALL_LIMIT) * 1000,
      onListChange,
      onWarning,
      ...events,
    };
  }

  #reason(error: unknown, { library, server }: Try): unknown {
    const wantsSignIn = isUnauthorized(error, library);
    if (wantsSignIn || error instanceof SignInError) this.#mayRetry = false;
    if (!wantsSignIn) return error;
    const header = Object.keys(server.headers ?? {}).find((name) => CREDENTIALS.test(name));
    const refused = header === undefined ? "" : `: it does not accept the header ${header}`;
    return new SignInError(`the server requires a sign-in${refused}`, { cause: error });
  }
}

/** Headers that identify the client. */
const CREDENTIALS = /auth|key|token/i;

const HTTP_UNAUTHORIZED = 401;

const isUnauthorized = (error: unknown, { UnauthorizedError, SdkHttpError }: ClientLibrary): boolean =>
  error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === HTTP_UNAUTHORIZED);

import { defined, type JsonObject } from "@mdx-ai/base";
import type { ImageContent, TextContent } from "@mdx-ai/models";
import type {
  McpCallOptions,
  McpCallResult,
  McpConnection,
  McpConnectionOptions,
  McpPrompt,
  McpResource,
  McpState,
  McpTool,
} from "./mcp-connection.ts";
import { McpError } from "./mcp-error.ts";
import { BackOff } from "./session/back-off.ts";
import { type ClientSession, LateAnswerError } from "./session/client-session.ts";
import { ConnectionOpener } from "./session/connection-opener.ts";
import { errorReason } from "./session/error-reason.ts";
import { Throttle, WarningLimit } from "./session/rate-limits.ts";
import type { ServerList } from "./session/server-list.ts";

/** Creates a connection to a server without opening it. Never throws. */
export const openMcpConnection = (options: McpConnectionOptions): McpConnection => new ServerConnection(options);

/** Changes of a list within this many milliseconds count as one. */
const CHANGE_PAUSE = 200;

class ServerConnection implements McpConnection {
  readonly name: string;
  readonly #options: McpConnectionOptions;
  readonly #opener: ConnectionOpener;
  readonly #backOff: BackOff;
  readonly #warnings: WarningLimit;
  readonly #losses: WarningLimit;
  readonly #listing = new Throttle(CHANGE_PAUSE, () => this.#listAgain());
  #state: McpState = { type: "idle" };
  #tools: readonly McpTool[] = [];
  #session: ClientSession | undefined;
  #opening: Promise<ClientSession> | undefined;
  #isChecking = false;

  constructor(options: McpConnectionOptions) {
    this.name = options.name;
    this.#options = options;
    const warn = (isLoss: boolean) => (message: string) =>
      options.onWarning?.(`the MCP server ${options.name} ${message}`, isLoss);
    this.#warnings = new WarningLimit(warn(false));
    this.#losses = new WarningLimit(warn(true));
    this.#backOff = new BackOff(options.limits?.backOff ?? 1_000, () => void this.#opened().catch(() => {}));
    this.#opener = new ConnectionOpener(options, {
      onEnd: (session, reason) => this.#ended(session, reason),
      onTrouble: (session) => void this.#checkLife(session, false),
      onListChange: (list) => this.#listChanged(list),
      onWarning: (message, isLoss) => (isLoss ? this.#losses : this.#warnings).warn(message),
    });
  }

  get state(): McpState {
    return this.#state;
  }

  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  async connect(signal?: AbortSignal): Promise<void> {
    if (this.#isClosed || this.#session || this.#backOff.retryAt !== undefined) return;
    await unlessAborted(this.#opened(), signal).catch(() => {});
  }

  async call(tool: string, args: JsonObject, options: McpCallOptions): Promise<McpCallResult> {
    const result = await this.#asked(options.signal, (session) => session.call(tool, args, options));
    this.#backOff.reset();
    return result;
  }

  resources(signal?: AbortSignal): Promise<readonly McpResource[]> {
    return this.#asked(signal, (session) => session.resources(signal));
  }

  readResource(uri: string, signal?: AbortSignal): Promise<readonly (TextContent | ImageContent)[]> {
    return this.#asked(signal, (session) => session.readResource(uri, signal));
  }

  prompts(signal?: AbortSignal): Promise<readonly McpPrompt[]> {
    return this.#asked(signal, (session) => session.prompts(signal));
  }

  prompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string> {
    return this.#asked(signal, (session) => session.prompt(name, args, signal));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const session = this.#session;
    this.#session = undefined;
    this.#backOff.end();
    this.#listing.end();
    this.#become({ type: "closed" });
    await Promise.all([this.#opener.close(), session?.close()]);
  }

  get #isClosed(): boolean {
    return this.#state.type === "closed";
  }

  /** The open connection. Rejects with `McpError`. */
  #opened(): Promise<ClientSession> {
    if (this.#isClosed) return Promise.reject(new McpError("the connection is closed"));
    if (this.#session) return Promise.resolve(this.#session);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<ClientSession> {
    this.#backOff.stop();
    this.#become({ type: "connecting" });
    try {
      const { session, tools } = await this.#opener.open();
      if (this.#isClosed) throw await closedMeanwhile(session);
      this.#session = session;
      this.#tools = tools;
      this.#backOff.connected();
      this.#become({ type: "connected" });
      return session;
    } catch (error) {
      const reason = errorReason(error);
      this.#failed(reason, this.#opener.mayRetry);
      throw error instanceof McpError ? error : new McpError(reason, { cause: error });
    }
  }

  async #asked<Result>(
    signal: AbortSignal | undefined,
    ask: (session: ClientSession) => Promise<Result>,
  ): Promise<Result> {
    const session = await unlessAborted(this.#opened(), signal);
    try {
      return await ask(session);
    } catch (error) {
      if (session.lossOf(error) === "forgotten") {
        this.#drop(session);
        return await named(unlessAborted(this.#opened(), signal).then(ask));
      }
      if (session.lossOf(error) === "unreachable") this.#ended(session, errorReason(error));
      if (error instanceof LateAnswerError) void this.#checkLife(session, true);
      // The end of the session has a more precise reason.
      const end = this.#session !== session && this.#state.type === "failed" ? this.#state.reason : undefined;
      throw error instanceof McpError ? error : new McpError(end ?? errorReason(error), { cause: error });
    }
  }

  /** Drops a connection that no longer works, so that the next request opens another. */
  #drop(session: ClientSession): void {
    if (this.#session === session) this.#session = undefined;
    void session.close();
  }

  /** Drops the connection if the server has gone, or is both silent and suspect. Never rejects. */
  async #checkLife(session: ClientSession, isSuspect: boolean): Promise<void> {
    if (this.#session !== session || this.#isChecking) return;
    this.#isChecking = true;
    const life = await session.life();
    this.#isChecking = false;
    if (life === "gone" || (life === "silent" && isSuspect)) this.#ended(session, "the server no longer answers");
  }

  #ended(session: ClientSession, reason: string): void {
    if (this.#session !== session) return;
    this.#drop(session);
    this.#failed(reason, true);
  }

  #failed(reason: string, mayRetry: boolean): void {
    if (this.#isClosed) return;
    const retryAt = mayRetry ? this.#backOff.start() : undefined;
    this.#become({ type: "failed", reason, ...defined({ retryAt }) });
  }

  #listChanged(list: ServerList): void {
    if (list === "tools") this.#listing.ask();
    else this.#options.onChange?.();
  }

  async #listAgain(): Promise<void> {
    const session = this.#session;
    try {
      const tools = await session?.tools();
      if (!tools || this.#session !== session) return;
      this.#tools = tools;
      this.#options.onChange?.();
    } catch (error) {
      this.#warnings.warn(`does not list its changed tools: ${errorReason(error)}`);
    }
  }

  #become(state: McpState): void {
    if (this.#isClosed) return;
    this.#state = state;
    this.#options.onChange?.();
  }
}

/** Rejects only with `McpError`. */
const named = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error) => {
    throw error instanceof McpError ? error : new McpError(errorReason(error), { cause: error });
  });

async function closedMeanwhile(session: ClientSession): Promise<McpError> {
  await session.close();
  return new McpError("the connection is closed");
}

/** Rejects with `McpError` when a signal fires first; the work continues. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  let leave = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(new McpError("it was aborted"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    leave = () => signal.removeEventListener("abort", abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    leave();
  }
}

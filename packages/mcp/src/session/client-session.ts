import { defined, isJsonObject, type JsonObject, shortened, visibleText, within } from "@mdx-ai/base";
import type { Client, Tool } from "@modelcontextprotocol/client";
import { boundedContent, callResult, promptText } from "../content/answer-content.ts";
import { readResource } from "../content/read-content.ts";
import type { McpCallOptions, McpCallResult, McpPrompt, McpResource, McpTool, Warn } from "../mcp-connection.ts";
import { McpError } from "../mcp-error.ts";
import { OUTPUT_SCHEMA } from "../transports/listed-items.ts";
import type { Link } from "../transports/open-link.ts";
import { afterSignIns, type SignInWait } from "./after-sign-ins.ts";
import { errorReason } from "./error-reason.ts";
import type { ServerList } from "./server-list.ts";
import { TimeLimit } from "./time-limit.ts";

export interface ClientSessionOptions extends SignInWait {
  readonly client: Client;
  readonly link: Link;
  /** Milliseconds between two signs of life of a call. */
  readonly callLimit: number;
  readonly onWarning: Warn;
}

/** About 24 days: disables the library's limits, which are not paused by questions and sign-ins. */
const NO_LIMIT = 2 ** 31 - 1;

/** Tools over all pages. */
const MAX_TOOLS = 2_000;

/** Milliseconds within which a server must answer a ping. */
const LIFE_LIMIT = 5_000;

/** Milliseconds within which a server must confirm the end of its session. */
const END_LIMIT = 1_000;

/** Milliseconds for a server to list tools that it did not declare. */
const UNDECLARED_LIMIT = 3_000;

/** How long the library waits for an answer. */
interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** An open connection: what can be asked of a server. */
export class ClientSession {
  readonly #options: ClientSessionOptions;
  /** Names already reported as listed more than once. */
  readonly #repeated = new Set<string>();
  /** Pending reads of lists; each waits for the previous one. */
  readonly #lists = new Map<ServerList, Promise<void>>();

  constructor(options: ClientSessionOptions) {
    this.#options = options;
  }

  /** Rejects as the library does. */
  async tools(signal?: AbortSignal): Promise<readonly McpTool[]> {
    const { client, link } = this.#options;
    const listed = this.#listed("tools", signal, (each) =>
      client.listTools(undefined, { ...each, cacheMode: "refresh" }),
    );
    // A server that declares no tools may have some, or may not answer.
    const isAnswered = link.declaresTools() || (await within(listed, UNDECLARED_LIMIT).catch(() => false));
    if (!isAnswered) listed.catch(() => {});
    const { tools } = isAnswered ? await listed : { tools: [] };
    return this.#distinct("tools", tools.slice(0, MAX_TOOLS).map(readTool), ({ name }) => name);
  }

  /** Keeps the first item of each name. */
  #distinct<Item>(list: ServerList, items: readonly Item[], nameOf: (item: Item) => string): readonly Item[] {
    const byName = Map.groupBy(items, nameOf);
    for (const [name, { length }] of byName) {
      const key = `${list} ${name}`;
      if (length === 1 || this.#repeated.has(key)) continue;
      this.#repeated.add(key);
      this.#options.onWarning(
        `lists ${length} ${list} named ${visibleText(shortened(name, 100))}; the first is used`,
        true,
      );
    }
    return [...byName.values()].flatMap(([first]) => first ?? []);
  }

  /** Reads a list. Reads of the same list run one at a time, because pages are identified by their order. */
  #listed<Result>(
    list: ServerList,
    signal: AbortSignal | undefined,
    ask: (options: RequestLimits) => Promise<Result>,
  ): Promise<Result> {
    const before = this.#lists.get(list) ?? Promise.resolve();
    const result = before.then(() => this.#limited(signal, ask));
    this.#lists.set(
      list,
      result.then(
        () => {},
        () => {},
      ),
    );
    return result;
  }

  /** Rejects as the library does. */
  async call(name: string, args: JsonObject, options: McpCallOptions): Promise<McpCallResult> {
    const { library, questions } = this.#options;
    try {
      return await this.#callOnce(name, args, options);
    } catch (error) {
      // The user must open an address first, for example to sign in to a service behind the server.
      if (!(error instanceof library.UrlElicitationRequiredError)) throw error;
      for (const { message, url } of error.elicitations) {
        const { action } = await questions.answer({ type: "url", message, url }, options.signal);
        if (action !== "accept")
          throw new McpError(`the server wants the user to open an address: ${errorReason(message)}`);
      }
      return await this.#callOnce(name, args, options);
    }
  }

  async #callOnce(name: string, args: JsonObject, { signal, onProgress }: McpCallOptions): Promise<McpCallResult> {
    const { client } = this.#options;
    const params = { name, arguments: { ...args }, ...this.#logLevel() };
    const result = await this.#limited(signal, (each, limit) =>
      client.callTool(params, {
        ...each,
        onprogress: ({ progress, total, message }) => {
          limit.restart();
          onProgress?.({ progress, ...defined({ total, message }) });
        },
      }),
    );
    return callResult(result);
  }

  /** From revision 2026-07-28 on, each request sets the log level. */
  #logLevel(): { readonly _meta?: { readonly [key: string]: string } } {
    const { client, library } = this.#options;
    const isLogging = client.getProtocolEra() === "modern" && client.getServerCapabilities()?.logging;
    return isLogging ? { _meta: { [library.LOG_LEVEL_META_KEY]: "error" } } : {};
  }

  async resources(signal?: AbortSignal): Promise<readonly McpResource[]> {
    const { client } = this.#options;
    if (!client.getServerCapabilities()?.resources) return [];
    const { resources } = await this.#listed("resources", signal, (each) =>
      client.listResources(undefined, { ...each, cacheMode: "refresh" }),
    );
    const read = resources.map(({ uri, name, description, mimeType }) => ({
      uri,
      name,
      ...defined({ description, mimeType }),
    }));
    return this.#distinct("resources", read, ({ uri }) => uri);
  }

  async readResource(uri: string, signal?: AbortSignal): Promise<McpCallResult["content"]> {
    const { client } = this.#options;
    const { contents } = await this.#limited(signal, (each) =>
      client.readResource({ uri }, { ...each, cacheMode: "refresh" }),
    );
    return boundedContent(contents.map(readResource));
  }

  async prompts(signal?: AbortSignal): Promise<readonly McpPrompt[]> {
    const { client } = this.#options;
    if (!client.getServerCapabilities()?.prompts) return [];
    const { prompts } = await this.#listed("prompts", signal, (each) =>
      client.listPrompts(undefined, { ...each, cacheMode: "refresh" }),
    );
    const read = prompts.map(({ name, description, arguments: all = [] }) => ({
      name,
      ...defined({ description }),
      arguments: all.map((each) => ({
        name: each.name,
        required: each.required ?? false,
        ...defined({ description: each.description }),
      })),
    }));
    return this.#distinct("prompts", read, ({ name }) => name);
  }

  async prompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string> {
    const { client } = this.#options;
    const { messages } = await this.#limited(signal, (each) =>
      client.getPrompt({ name, arguments: { ...args } }, each),
    );
    return promptText(messages);
  }

  /** Whether the server supports only the handshake of revisions up to 2025-11-25. */
  get isLegacy(): boolean {
    return this.#options.client.getProtocolEra() === "legacy";
  }

  /**
   * What an error means for the connection. `forgotten`: the server no longer knows the session and did not process the request.
   * `unreachable`: it is unknown whether the server received the request.
   */
  lossOf(error: unknown): "forgotten" | "unreachable" | undefined {
    const { library, link } = this.#options;
    // Other transports report the end of the connection.
    if (!link.finishSignIn) return undefined;
    if (error instanceof library.SdkHttpError)
      return isForgotten(error.status, error.message) ? "forgotten" : undefined;
    const { SdkError, ProtocolError, UnauthorizedError, OAuthError, OAuthClientFlowError } = library;
    const kinds = [SdkError, ProtocolError, UnauthorizedError, OAuthError, OAuthClientFlowError, McpError];
    return kinds.some((kind) => error instanceof kind) ? undefined : "unreachable";
  }

  /** Whether the server answers; `silent`: it may be busy. Never rejects. */
  async life(): Promise<"alive" | "silent" | "gone"> {
    const { client, library } = this.#options;
    const { SdkError, SdkErrorCode } = library;
    const options = { timeout: LIFE_LIMIT };
    try {
      await (client.getProtocolEra() === "modern" ? client.discover(options) : client.ping(options));
      return "alive";
    } catch (error) {
      const code = error instanceof SdkError ? error.code : undefined;
      if (code === SdkErrorCode.RequestTimeout) return "silent";
      const isClosed = code === SdkErrorCode.ConnectionClosed || code === SdkErrorCode.NotConnected;
      // An error response is an answer.
      return isClosed || this.lossOf(error) !== undefined ? "gone" : "alive";
    }
  }

  /** Ends the connection. Never rejects. */
  async close(): Promise<void> {
    const { client, link } = this.#options;
    if (link.endSession)
      await within(
        link.endSession().catch(() => {}),
        END_LIMIT,
      );
    await client.close().catch(() => {});
    await link.transport.close().catch(() => {});
  }

  async #limited<Result>(
    signal: AbortSignal | undefined,
    ask: (options: RequestLimits, limit: TimeLimit) => Promise<Result>,
  ): Promise<Result> {
    const { callLimit, questions } = this.#options;
    const late = new AbortController();
    const limit = new TimeLimit(callLimit, () => late.abort());
    const leave = questions.join(limit);
    try {
      const each = { signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal, timeout: NO_LIMIT };
      return await afterSignIns(this.#options, () => ask(each, limit));
    } catch (error) {
      if (signal?.aborted) throw new McpError("it was aborted", { cause: error });
      if (limit.isOver)
        throw new LateAnswerError(`the server did not answer within ${callLimit / 1000} s`, { cause: error });
      throw error;
    } finally {
      leave();
      limit.end();
    }
  }
}

/** The protocol uses 404; some servers report it differently. */
const isForgotten = (status: number, message: string): boolean =>
  status === 404 || (status === 400 && /session/i.test(message));

/** No sign of life arrived in time. */
export class LateAnswerError extends McpError {}

function readTool(tool: Tool): McpTool {
  const { name, description = "", inputSchema, annotations, _meta = {} } = tool;
  const outputSchema = _meta[OUTPUT_SCHEMA];
  const { readOnlyHint, idempotentHint, title } = annotations ?? {};
  return {
    name,
    description,
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: "object" },
    ...(isJsonObject(outputSchema) && { outputSchema }),
    ...(annotations && { annotations: defined({ readOnlyHint, idempotentHint, title }) }),
  };
}

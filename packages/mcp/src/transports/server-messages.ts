import { isRecord, isText, shortened, visibleLine } from "@mdx-ai/base";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { ClientLibrary } from "./client-library.ts";
import { type AskedRequest, FittingResults } from "./fitting-results.ts";
import type { ListedItemsOptions } from "./listed-items.ts";
import { type Parts, withoutNulls } from "./without-nulls.ts";

export interface ServerMessagesOptions extends ListedItemsOptions {
  readonly library: Pick<
    ClientLibrary,
    "parseJSONRPCMessage" | "SUPPORTED_PROTOCOL_VERSIONS" | "PROTOCOL_VERSION_META_KEY"
  >;
}

export type RequestId = string | number;

/** Codes of JSON-RPC. */
const INTERNAL_ERROR = -32603;
const UNREADABLE = -32000;

/** It waits as long as the connection lasts. */
const LISTEN = "subscriptions/listen";

/** Methods of servers. Other lines of JSON without `jsonrpc` are no messages, such as those of logs. */
const METHODS = /^(?:ping$|(?:notifications|roots|sampling|elicitation)\/)/;

/**
 * The border to a server: reads the values that it sends as messages of the protocol. `null` counts as absent, harmless mistakes are
 * fixed, and an answer that cannot be read fails its request at once. It sees the requests, to know the answers.
 */
export class ServerMessages {
  readonly #options: ServerMessagesOptions;
  readonly #fitting: FittingResults;
  readonly #asked = new Map<RequestId, AskedRequest>();
  /** The requests from before the handshake, whose answers may still come. */
  readonly #givenUp = new Set<RequestId>();
  #lastId = -1;

  constructor(options: ServerMessagesOptions) {
    this.#options = options;
    this.#fitting = new FittingResults({ ...options, revisions: options.library.SUPPORTED_PROTOCOL_VERSIONS });
  }

  /** Whether the server has said that it has tools. */
  get declaresTools(): boolean {
    return this.#fitting.declaresTools;
  }

  sent(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    const { method, params } = message;
    // A request that was given up gets no answer.
    if (method === "notifications/cancelled") this.#asked.delete(idOf(params?.["requestId"]) ?? "");
    if (!("id" in message) || message.id === undefined) return;
    const request = { method, params: params ?? {} };
    // What was asked before the handshake is given up.
    if (method === "initialize") this.#giveUpAll();
    this.#asked.set(message.id, request);
    if (typeof message.id === "number") this.#lastId = message.id;
    this.#fitting.asked(request);
  }

  #giveUpAll(): void {
    for (const id of this.#asked.keys()) this.#givenUp.add(id);
    this.#asked.clear();
  }

  /** The request that waits for an answer, if it is the only one. */
  get onlyWaiting(): RequestId | undefined {
    return this.#only(undefined);
  }

  /** Whether a request waits for its answer. */
  waits(id: RequestId): boolean {
    return this.#asked.has(id);
  }

  /** The messages in a value that came out of JSON; none if it is no message. Never throws. */
  received(value: unknown): readonly JSONRPCMessage[] {
    if (Array.isArray(value)) return value.flatMap((one) => this.#message(one) ?? []);
    return [this.#message(value) ?? []].flat();
  }

  /** The answer that fails a request which waits, such as because its answer cannot be read. */
  failure(id: RequestId | undefined, reason: string): readonly JSONRPCMessage[] {
    const request = id === undefined ? undefined : this.#asked.get(id);
    if (id === undefined || request === undefined) return [];
    return [this.#refused(id, request, { code: UNREADABLE, message: reason }) ?? []].flat();
  }

  /** A request gets no answer any more that is of use. */
  forget(id: RequestId): void {
    this.#asked.delete(id);
  }

  #message(value: unknown): JSONRPCMessage | undefined {
    if (!isRecord(value)) return undefined;
    const { result, error } = value;
    const isAnswer = "result" in value || (error !== undefined && error !== null);
    if (isText(value["method"]) && (result ?? error ?? undefined) === undefined) return this.#request(value);
    return isAnswer || (value["jsonrpc"] !== undefined && "id" in value) ? this.#answer(value) : undefined;
  }

  /** A request or a notification of the server. */
  #request({ jsonrpc, id, method, params }: Parts): JSONRPCMessage | undefined {
    if (!isText(method) || (jsonrpc === undefined && !METHODS.test(method))) return undefined;
    const known = method.startsWith("notifications/") ? undefined : idOf(id);
    return this.#parsed({
      ...{ jsonrpc: "2.0", method },
      ...(known !== undefined && { id: known }),
      ...(isRecord(params) && { params: withoutNulls(params) }),
    });
  }

  #answer(value: Parts): JSONRPCMessage | undefined {
    const { jsonrpc, result, error } = value;
    const named = this.#named(value["id"]);
    const isError = error !== undefined && error !== null;
    const id = named ?? (jsonrpc === undefined ? undefined : this.#only(value["id"]));
    const request = id === undefined ? undefined : this.#asked.get(id);
    if (id === undefined || request === undefined) return undefined;
    // JSON-RPC leaves the id out of errors of requests that the server could not read.
    if (isError && (named ?? idOf(value["id"]) ?? id) === id) return this.#refused(id, request, error);
    if (named === undefined)
      return this.#failed(
        id,
        `The answer of the server has the id ${shown(value["id"] ?? null)}, which no request has.`,
      );
    const message = "result" in value ? this.#fitted(id, request, result) : undefined;
    if (!message) return this.#failed(id, `The answer to ${request.method} cannot be read: ${shown(value)}`);
    this.#asked.delete(id);
    return message;
  }

  /** The request that an id names, which may be a text in place of a number. */
  #named(sent: unknown): RequestId | undefined {
    const id = idOf(sent);
    if (id === undefined) return undefined;
    return [id, numberOf(id)].find((form) => this.#asked.has(form));
  }

  /** The only request that waits, which an answer must belong to whose id no request ever had. */
  #only(sent: unknown): RequestId | undefined {
    const id = idOf(sent);
    const isLate = id !== undefined && (numberOf(id) <= this.#lastId || this.#givenUp.has(id));
    const [only, more] = [...this.#asked].flatMap(([each, { method }]) => (method === LISTEN ? [] : [each]));
    return isLate || more !== undefined ? undefined : only;
  }

  #refused(id: RequestId, request: AskedRequest, error: unknown): JSONRPCMessage | undefined {
    const fitting = fittingError(error);
    const result = this.#fitting.insteadOfError(request, fitting.code, fitting.message);
    if (result !== undefined) return this.#answer({ jsonrpc: "2.0", id, result });
    this.#asked.delete(id);
    return this.#parsed({ jsonrpc: "2.0", id, error: fitting });
  }

  #failed(id: RequestId, reason: string): JSONRPCMessage | undefined {
    return this.failure(id, reason)[0];
  }

  /** Since the revision 2026-07-28 a result has a type. */
  #isModern({ params: { _meta } }: AskedRequest): boolean {
    return isRecord(_meta) && this.#options.library.PROTOCOL_VERSION_META_KEY in _meta;
  }

  /** Undefined if the result is none of this request, or nested so deeply that nobody can read it. */
  #fitted(id: RequestId, request: AskedRequest, result: unknown): JSONRPCMessage | undefined {
    try {
      const fitting = this.#fitting.fit(request, result);
      const resultType = this.#isModern(request) ? { resultType: "complete" } : {};
      return fitting && this.#parsed({ jsonrpc: "2.0", id, result: { ...resultType, ...fitting } });
    } catch {
      return undefined;
    }
  }

  #parsed(message: Parts): JSONRPCMessage | undefined {
    try {
      return this.#options.library.parseJSONRPCMessage(message);
    } catch {
      return undefined;
    }
  }
}

const idOf = (id: unknown): RequestId | undefined =>
  isText(id) || (typeof id === "number" && Number.isSafeInteger(id)) ? id : undefined;

/** Not a number for a text that is none. */
const numberOf = (id: RequestId): number => (id === "" ? Number.NaN : Number(id));

function fittingError(error: unknown): { readonly code: number; readonly message: string; readonly data?: unknown } {
  if (!isRecord(error)) return { code: INTERNAL_ERROR, message: isText(error) ? error : shown(error) };
  const { code, message, data } = error;
  const number = isText(code) && code.trim() !== "" ? Number(code) : code;
  return {
    code: Number.isSafeInteger(number) ? Number(number) : INTERNAL_ERROR,
    message: isText(message) && message !== "" ? message : shown(error),
    ...(data !== undefined && data !== null && { data }),
  };
}

/** The beginning of what a server sent, on one line. */
function shown(value: unknown): string {
  try {
    return visibleLine(shortened(JSON.stringify(value), 200));
  } catch {
    return "it is nested too deeply";
  }
}

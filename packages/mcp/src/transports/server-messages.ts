import { isRecord, isText } from "@mdx-ai/parser/record";
import { shortened, visibleLine } from "@mdx-ai/parser/visible-text";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { type AskedRequest, FittingResults } from "./fitting-results.ts";
import type { ListedItemsOptions } from "./listed-items.ts";
import type { ClientLibrary } from "./open-link.ts";
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
    const id = this.#idOfAnswer(value["id"], jsonrpc !== undefined);
    if (id === undefined) return undefined;
    const request = this.#asked.get(id.asked);
    if (request === undefined) return undefined;
    if (id.isOther)
      return this.#failed(id.asked, `The answer of the server has the id ${id.sent}, which no request has.`);
    if (error !== undefined && error !== null) return this.#refused(id.asked, request, error);
    const fitting = "result" in value ? this.#fitting.fit(request, result) : undefined;
    const resultType = this.#isModern(request) ? { resultType: "complete" } : {};
    const message = fitting && this.#parsed({ jsonrpc: "2.0", id: id.asked, result: { ...resultType, ...fitting } });
    if (!message) return this.#failed(id.asked, `The answer to ${request.method} cannot be read: ${shown(value)}`);
    this.#asked.delete(id.asked);
    return message;
  }

  /** The request that an answer belongs to. An answer whose id no request ever had belongs to the only one that waits. */
  #idOfAnswer(sent: unknown, isMessage: boolean): { asked: RequestId; sent: string; isOther: boolean } | undefined {
    const id = idOf(sent);
    const number = id === undefined || id === "" ? Number.NaN : Number(id);
    const asked = [id, number].find((form) => form !== undefined && this.#asked.has(form));
    if (asked !== undefined) return { asked, sent: String(sent), isOther: false };
    const [only, more] = [...this.#asked].flatMap(([each, { method }]) => (method === LISTEN ? [] : [each]));
    const isLate = number <= this.#lastId || (id !== undefined && this.#givenUp.has(id));
    if (isLate || !isMessage || only === undefined || more !== undefined) return undefined;
    // JSON-RPC leaves the id out of errors of requests that the server could not read.
    return { asked: only, sent: JSON.stringify(sent), isOther: id !== undefined };
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

  #parsed(message: Parts): JSONRPCMessage | undefined {
    try {
      return this.#options.library.parseJSONRPCMessage(message);
    } catch {
      return undefined;
    }
  }
}

const idOf = (id: unknown): RequestId | undefined =>
  isText(id) || (typeof id === "number" && Number.isInteger(id)) ? id : undefined;

function fittingError(error: unknown): { readonly code: number; readonly message: string; readonly data?: unknown } {
  if (!isRecord(error)) return { code: INTERNAL_ERROR, message: isText(error) ? error : shown(error) };
  const { code, message, data } = error;
  const number = isText(code) && code.trim() !== "" ? Number(code) : code;
  return {
    code: Number.isInteger(number) ? Number(number) : INTERNAL_ERROR,
    message: isText(message) && message !== "" ? message : shown(error),
    ...(data !== undefined && data !== null && { data }),
  };
}

/** The beginning of what a server sent, on one line. */
const shown = (value: unknown): string => visibleLine(shortened(JSON.stringify(value), 200));

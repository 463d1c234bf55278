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

/** Stays open as long as the connection. */
const LISTEN = "subscriptions/listen";

/** Server methods. JSON lines without `jsonrpc` and with another method, such as log lines, are not messages. */
const METHODS = /^(?:ping$|(?:notifications|roots|sampling|elicitation)\/)/;

/**
 * Reads what a server sends as messages of the protocol: `null` counts as absent, harmless mistakes are corrected, and an unreadable answer
 * fails its request at once. Tracks requests to match answers.
 */
export class ServerMessages {
  readonly #options: ServerMessagesOptions;
  readonly #fitting: FittingResults;
  readonly #asked = new Map<RequestId, AskedRequest>();
  /** Abandoned requests from before the handshake; answers may still arrive. */
  readonly #givenUp = new Set<RequestId>();
  #lastId = -1;

  constructor(options: ServerMessagesOptions) {
    this.#options = options;
    this.#fitting = new FittingResults({ ...options, revisions: options.library.SUPPORTED_PROTOCOL_VERSIONS });
  }

  /** Whether the server declared tools. */
  get declaresTools(): boolean {
    return this.#fitting.declaresTools;
  }

  sent(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    const { method, params } = message;
    // A cancelled request gets no answer.
    if (method === "notifications/cancelled") this.#asked.delete(idOf(params?.["requestId"]) ?? "");
    if (!("id" in message) || message.id === undefined) return;
    const request = { method, params: params ?? {} };
    // Requests from before the handshake are abandoned.
    if (method === "initialize") this.#giveUpAll();
    this.#asked.set(message.id, request);
    if (typeof message.id === "number") this.#lastId = message.id;
    this.#fitting.asked(request);
  }

  #giveUpAll(): void {
    for (const id of this.#asked.keys()) this.#givenUp.add(id);
    this.#asked.clear();
  }

  /** The waiting request, if there is exactly one. */
  get onlyWaiting(): RequestId | undefined {
    return this.#only(undefined);
  }

  /** Whether a request waits for its answer. */
  waits(id: RequestId): boolean {
    return this.#asked.has(id);
  }

  /** The messages in a parsed JSON value; empty if it is not a message. Never throws. */
  received(value: unknown): readonly JSONRPCMessage[] {
    if (Array.isArray(value)) return value.flatMap((one) => this.#message(one) ?? []);
    return [this.#message(value) ?? []].flat();
  }

  /** The answer that fails a waiting request, for example because the real one is unreadable. */
  failure(id: RequestId | undefined, reason: string): readonly JSONRPCMessage[] {
    const request = id === undefined ? undefined : this.#asked.get(id);
    if (id === undefined || request === undefined) return [];
    return [this.#refused(id, request, { code: UNREADABLE, message: reason }) ?? []].flat();
  }

  /** Drops a request whose answer is no longer needed. */
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

  /** A request or notification from the server. */
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
    // JSON-RPC omits the id if the server could not read the request.
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

  /** The request with an id, which may be a string instead of a number. */
  #named(sent: unknown): RequestId | undefined {
    const id = idOf(sent);
    if (id === undefined) return undefined;
    return [id, numberOf(id)].find((form) => this.#asked.has(form));
  }

  /** The only waiting request, which an answer with an unknown id must belong to. */
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

  /** Results have a type from revision 2026-07-28 on. */
  #isModern({ params: { _meta } }: AskedRequest): boolean {
    return isRecord(_meta) && this.#options.library.PROTOCOL_VERSION_META_KEY in _meta;
  }

  /** Undefined if the result does not fit the request, or is nested too deeply. */
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

/** NaN for a string that is not a number. */
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

/** The start of what a server sent, on one line. */
function shown(value: unknown): string {
  try {
    return visibleLine(shortened(JSON.stringify(value), 200));
  } catch {
    return "it is nested too deeply";
  }
}

import { isText, shortened, visibleLine } from "@mdx-ai/base";
import type { JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import type { EventSourceMessage } from "eventsource-parser";
import { type Fetch, TooLongError, withAddress } from "./bounded-fetch.ts";
import { DeferredAnswers } from "./deferred-answers.ts";
import { EVENT_STREAM, openedBody } from "./opened-body.ts";
import { rewrittenEvents } from "./rewritten-events.ts";
import type { RequestId, ServerMessages } from "./server-messages.ts";

export interface HttpAnswersOptions {
  readonly parse: typeof parseJSONRPCMessage;
  readonly messages: ServerMessages;
  /** Whether the server answers in the response to a request, as from revision 2025-03-26 on. */
  readonly isStreamable: boolean;
}

/** Reads a server's HTTP responses before the client does and corrects their messages. */
export class HttpAnswers {
  readonly #options: HttpAnswersOptions;
  readonly #deferred: DeferredAnswers;
  /** Requests whose streams broke off, by the id of their last event. */
  readonly #broken = new Map<string, RequestId>();

  constructor(options: HttpAnswersOptions) {
    this.#options = options;
    this.#deferred = new DeferredAnswers({
      waits: (id) => options.messages.waits(id),
      failure: (id) => this.#brokenOff(id),
    });
  }

  /** Wraps `fetch` so that the client can read its responses. Other requests pass through. */
  over(fetch: Fetch): Fetch {
    return async (url, init) => {
      const message = this.#sent(init);
      const id = message && "method" in message && "id" in message ? message.id : undefined;
      const response = await fetch(url, init).catch((error) => {
        if (id !== undefined) this.#options.messages.forget(id);
        throw error;
      });
      if (message) return this.#options.isStreamable ? this.#answer(response, id) : response;
      const { method = "GET", headers } = init ?? {};
      const wanted = new Headers(headers);
      const isStream = method === "GET" && wanted.get("accept")?.includes(EVENT_STREAM);
      return isStream ? this.#stream(response, wanted.get("last-event-id")) : response;
    };
  }

  /** The message in a request, if it has one. */
  #sent(init: RequestInit | undefined): JSONRPCMessage | undefined {
    if (init?.method !== "POST" || !isText(init.body) || !init.body.includes('"jsonrpc"')) return undefined;
    const message = parsedJson(init.body, this.#options.parse);
    if (message) this.#options.messages.sent(message);
    return message;
  }

  async #answer(response: Response, id: RequestId | undefined): Promise<Response> {
    if (id === undefined) return taken(response);
    if (!response.ok) {
      this.#options.messages.forget(id);
      return response;
    }
    const { kind, body, head } = await openedBody(response);
    if (kind === "events") return this.#events(response, body, id);
    // The answer may arrive over another stream.
    if (kind === "nothing" && this.#deferred.hasStream)
      return new Response(this.#deferred.body(id), { headers: headersOf(response, EVENT_STREAM) });
    const messages = kind === "json" ? this.#read(await new Response(body).text(), id) : [];
    if (kind === "other") await body.cancel();
    const failures = this.#options.messages.failure(id, noMessage(response, head));
    const json = `[${[...messages, ...failures].map(jsonOf).join()}]`;
    return new Response(json, { headers: headersOf(response, "application/json") });
  }

  /** The messages in a text. If the text is not JSON, its request fails. */
  #read(text: string, id: RequestId | undefined): readonly JSONRPCMessage[] {
    const value = parsedJson(text, (json) => ({ json }));
    if (value) return this.#options.messages.received(value.json);
    return this.#options.messages.failure(id, `The answer is not JSON: ${visibleLine(shortened(text, 200))}`);
  }

  /** A stream that belongs to no request, or one that resumes a request's stream. */
  #stream(response: Response, after: string | null): Response {
    const id = after === null ? undefined : this.#broken.get(after);
    const isEvents = response.headers.get("content-type")?.startsWith(EVENT_STREAM) ?? false;
    if (response.ok && isEvents && response.body) return this.#events(response, response.body, id);
    if (id !== undefined) {
      void response.body?.cancel().catch(() => {});
      return new Response(this.#brokenOff(id), { headers: { "content-type": EVENT_STREAM } });
    }
    // The client would reconnect endlessly to a page served instead of a stream.
    return response.ok && this.#options.isStreamable ? new Response(null, { status: 405 }) : response;
  }

  #events(response: Response, body: ReadableStream<Uint8Array>, id: RequestId | undefined): Response {
    let lastEvent: string | undefined;
    let isOpen = true;
    if (id === undefined) this.#deferred.opened();
    const events = rewrittenEvents(body, {
      event: (event) => {
        lastEvent = event.id ?? lastEvent;
        return this.#event(event);
      },
      end: (error) => {
        if (id === undefined && isOpen) this.#deferred.ended();
        isOpen = false;
        if (id === undefined || !this.#options.messages.waits(id)) return "";
        // The same answer would be too long again.
        if (error instanceof TooLongError) return this.#failure(id, error.message);
        if (lastEvent === undefined) return this.#brokenOff(id);
        this.#broken.set(lastEvent, id);
        return "";
      },
    });
    return withAddress(response, new Response(events, { headers: headersOf(response, EVENT_STREAM) }));
  }

  #brokenOff(id: RequestId): string {
    return this.#failure(id, "The server ended its answer before it was complete.");
  }

  #failure(id: RequestId, reason: string): string {
    return this.#options.messages.failure(id, reason).map(eventOf).join("");
  }

  /** An event as the client may see it, with at most one message. */
  #event({ id, event, data }: EventSourceMessage): string {
    const head = id === undefined ? "" : `id: ${id}\n`;
    // Streams of 2024-11-05 start with an address.
    const isAddress = !this.#options.isStreamable && (event === "endpoint" || /^(?:\/|https?:)/.test(data));
    if (isAddress) return `event: endpoint\ndata: ${data}\n\n`;
    const messages = data === "" ? [] : this.#read(data, idIn(data));
    this.#deferred.settle();
    if (messages.length === 0) return head === "" ? "" : `${head}data:\n\n`;
    return messages.map((message, index) => (index === 0 ? head : "") + eventOf(message)).join("");
  }
}

const eventOf = (message: JSONRPCMessage): string => `data: ${jsonOf(message)}\n\n`;

/** A message as JSON, or as a failure if it is nested too deeply to serialize. */
function jsonOf(message: JSONRPCMessage): string {
  try {
    return JSON.stringify(message);
  } catch {
    const { id = null } = "id" in message ? message : {};
    const error = { code: -32000, message: "The answer is nested too deeply to be read." };
    return JSON.stringify({ jsonrpc: "2.0", id, error });
  }
}

/** The request that a text names. */
function idIn(text: string): RequestId | undefined {
  const id = /"id"\s*:\s*(\d{1,15})\s*[,}]/.exec(text.slice(0, 200))?.[1];
  return id === undefined ? undefined : Number(id);
}

function parsedJson<Result>(text: string, read: (value: unknown) => Result): Result | undefined {
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function noMessage({ status, headers }: Response, head: string): string {
  if (head.trim() === "") return `The server answered ${status} without a message.`;
  const type = headers.get("content-type") ?? "of an unknown type";
  return `The answer is not a message but ${type}: ${visibleLine(shortened(head, 200))}`;
}

/** HTTP status codes that are about the connection. */
const REFUSALS = new Set([401, 403, 404]);

/** The response to a notification, which needs no answer. */
function taken(response: Response): Response {
  const { status, ok } = response;
  if (!ok && (status < 400 || status >= 500 || REFUSALS.has(status))) return response;
  void response.body?.cancel().catch(() => {});
  return new Response(null, { status: 202 });
}

function headersOf({ headers }: Response, type: string): Headers {
  const kept = new Headers(headers);
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) kept.delete(name);
  kept.set("content-type", type);
  return kept;
}

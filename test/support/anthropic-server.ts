/**
 * A Messages API of Anthropic on loopback that plays scripted replies, refuses what the real one refuses, and records what
 * it was asked. A reply is played as a stream, or as one document where none is asked for.
 *
 * @example
 * ```ts
 * using server = anthropicServer(toolReply({ id: "t1", name: "read_file", input: { path: "a" } }), textReply("Done."));
 * const model = await openModel("claude-test", { environment: server.environment });
 * // … or start a program with `server.environment` in its environment …
 * expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined]);
 * expect(server.requests[1]?.body).toMatchObject({ messages: [{}, {}, { content: [{ type: "tool_result" }] }] });
 * ```
 */

import { documentOf } from "./anthropic-document.ts";
import { refusalOf } from "./anthropic-refusal.ts";
import { type AnthropicReply, failureReply, type StreamEvent } from "./anthropic-replies.ts";
import { IssuedThinking } from "./anthropic-thinking.ts";
import { deliveredBytes } from "./delivered-bytes.ts";

/** A request that the server has received. */
interface RecordedRequest {
  /** The very text of the body, to compare bytes. */
  readonly text: string;
  /** The same as JSON; undefined where it is none. */
  readonly body: unknown;
  readonly headers: Headers;
  /** Why the server refused it with status 400 instead of playing a reply. */
  readonly refusal: string | undefined;
  /** The client's port: requests over one connection share it. */
  readonly connection: number | undefined;
  /** Fires when the client closes the connection before the reply is over. */
  readonly closed: AbortSignal;
}

export interface AnthropicServer extends Disposable {
  /** What a program needs in its environment to ask this server: a key and the base URL. */
  readonly environment: { readonly ANTHROPIC_API_KEY: string; readonly ANTHROPIC_BASE_URL: string };
  /** In the order of arrival, refused ones and further attempts included. */
  readonly requests: readonly RecordedRequest[];
  /** Adds replies to those that wait. A refused request takes none; without one left, the answer is status 500, final. */
  add(...replies: AnthropicReply[]): void;
  /** From now on thinking is taken back only behind what the model had read when it thought, as models since 5.1 do it. */
  bindThinking(): void;
  /** Breaks the connections of replies that hang. Bytes that the client has not read yet may be lost, as on any reset. */
  breakOff(): void;
}

type StreamReply = Extract<AnthropicReply, { events: unknown }>;

/** Starts a server on a free port of loopback; it stops when the test's scope ends. */
export function anthropicServer(...replies: AnthropicReply[]): AnthropicServer {
  const requests: RecordedRequest[] = [];
  const waiting = [...replies];
  const broken = new AbortController();
  const thinking = new IssuedThinking();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request, self) {
      const recorded = await record(request, self.requestIP(request)?.port, thinking);
      requests.push(recorded);
      return answer(request, recorded, { waiting, thinking, broken: broken.signal });
    },
  });
  return {
    environment: { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: server.url.origin },
    requests,
    add: (...more) => waiting.push(...more),
    bindThinking: () => {
      thinking.isBound = true;
    },
    breakOff: () => broken.abort(),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

async function record(
  request: Request,
  connection: number | undefined,
  thinking: IssuedThinking,
): Promise<RecordedRequest> {
  const text = await request.text();
  const body = bodyOf(text);
  const { headers, signal: closed } = request;
  const version = headers.get("anthropic-version") ?? "";
  return { text, body, headers, refusal: refusalOf(text, version) ?? thinking.refusalOf(body), connection, closed };
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a server will answer, and the signal that breaks its connections. */
interface Script {
  readonly waiting: AnthropicReply[];
  readonly thinking: IssuedThinking;
  readonly broken: AbortSignal;
}

const versions: readonly string[] = ["2023-06-01", "2026-10-21"];

async function answer(request: Request, recorded: RecordedRequest, script: Script): Promise<Response> {
  const { waiting, thinking, broken } = script;
  const { pathname } = new URL(request.url);
  if (request.method !== "POST" || pathname !== "/v1/messages") return respond(failureReply(404, "not_found_error"));
  const { headers, refusal } = recorded;
  if (!headers.has("authorization") && !headers.has("x-api-key"))
    return respond(failureReply(401, "authentication_error"));
  const version = headers.get("anthropic-version");
  if (version === null) return refuse("anthropic-version: header is required");
  if (!versions.includes(version)) return refuse(`anthropic-version: "${version}" is not a valid version`);
  if (refusal !== undefined) return refuse(refusal);
  const reply = waiting.shift() ?? final(failureReply(500, "api_error", { message: "No reply is left" }));
  if ("status" in reply) return respond(reply);
  thinking.issue(reply.events, recorded.body);
  return respond({ form: formAskedFor(recorded), ...reply }, broken);
}

const formAskedFor = ({ body }: RecordedRequest): "stream" | "document" =>
  typeof body === "object" && body !== null && "stream" in body && body.stream === true ? "stream" : "document";

function refuse(message: string): Promise<Response> {
  return respond(failureReply(400, "invalid_request_error", { message }));
}

function final(reply: AnthropicReply): AnthropicReply {
  return "status" in reply ? { ...reply, headers: { "x-should-retry": "false" } } : reply;
}

async function respond(reply: AnthropicReply, broken?: AbortSignal): Promise<Response> {
  if ("status" in reply) {
    const { status, body, headers } = reply;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });
  }
  await Bun.sleep(reply.before ?? 0);
  const type = reply.form === "document" ? "application/json" : "text/event-stream; charset=utf-8";
  return new Response(stream(reply, broken), { headers: { "content-type": type } });
}

/** The bytes of events as the API frames them. */
export function streamBytes(events: readonly StreamEvent[]): Uint8Array {
  return new TextEncoder().encode(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
  );
}

function stream(reply: StreamReply, broken: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const bytes =
    reply.form === "document" ? new TextEncoder().encode(documentOf(reply.events)) : streamBytes(reply.events);
  return deliveredBytes(bytes, reply, broken);
}

/**
 * OpenAI's responses interface on loopback. It plays scripted replies, refuses what the real one refuses, takes back
 * only the encrypted thinking that it sent, and records what it was asked.
 *
 * @example
 * ```ts
 * using server = responsesServer(toolReply({ id: "c1", name: "read_file", input: { path: "a" } }), textReply("Done."));
 * const model = await openModel("openai/gpt-5.4", { environment: server.environment });
 * // …
 * expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined]);
 * ```
 */

import { deliveredBytes } from "./delivered-bytes.ts";
import { testKey } from "./openai-server.ts";
import { refusalOf } from "./responses-refusal.ts";
import { failureReply, type ResponseEvent, type ResponsesReply } from "./responses-replies.ts";

/** A request that the server has received. */
interface RecordedRequest {
  /** The very text of the body, to compare bytes. */
  readonly text: string;
  /** The same as JSON; undefined where it is none. */
  readonly body: unknown;
  readonly headers: Headers;
  /** Why the server refused it with status 400 instead of playing a reply. */
  readonly refusal: string | undefined;
  /** Fires when the client closes the connection before the reply is over. */
  readonly closed: AbortSignal;
}

export interface ResponsesServer extends Disposable {
  /** What a program needs in its environment to ask this server: a key and the address. */
  readonly environment: Readonly<Record<string, string>>;
  /** In the order of arrival, refused ones and further attempts included. */
  readonly requests: readonly RecordedRequest[];
  /** Becomes the server of another organization, which cannot decrypt what this one has sent. */
  forget(): void;
  /** Breaks the connections of replies that hang. */
  breakOff(): void;
}

/** Starts a server on a free port of loopback; it stops when the test's scope ends. */
export function responsesServer(...replies: readonly ResponsesReply[]): ResponsesServer {
  const requests: RecordedRequest[] = [];
  const waiting = [...replies];
  const broken = new AbortController();
  const issued = new Set<string>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== "POST" || pathname !== "/v1/responses")
        return Response.json({ detail: "Not Found" }, { status: 404 });
      const recorded = await record(request, issued);
      requests.push(recorded);
      if (recorded.headers.get("authorization") !== `Bearer ${testKey}`)
        return respond(failureReply(401, "invalid_request_error", { code: "invalid_api_key" }), recorded);
      if (recorded.refusal !== undefined) return respond(refused(recorded.refusal), recorded);
      const reply = waiting.shift() ?? failureReply(500, "server_error", { headers: { "x-should-retry": "false" } });
      if ("events" in reply) for (const item of reply.events.flatMap(reasoningOf)) issued.add(item);
      return respond(reply, recorded, broken.signal);
    },
  });
  return {
    environment: { OPENAI_API_KEY: testKey, OPENAI_BASE_URL: `${server.url.origin}/v1` },
    requests,
    forget: () => issued.clear(),
    breakOff: () => broken.abort(),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

async function record(request: Request, issued: ReadonlySet<string>): Promise<RecordedRequest> {
  const text = await request.text();
  const { headers, signal: closed } = request;
  const body = bodyOf(text);
  return { text, body, headers, closed, refusal: refusalOf(text) ?? strangeThinking(body, issued) };
}

const UNKNOWN = "could not be verified. Reason: Encrypted content could not be decrypted or parsed.";

/** Thinking goes back as it came, to the byte. */
function strangeThinking(body: unknown, issued: ReadonlySet<string>): string | undefined {
  const items = listOf(fieldOf(body, "input")).filter((item) => fieldOf(item, "type") === "reasoning");
  const strange = items.find((item) => !issued.has(fingerprint(item)));
  return strange === undefined ? undefined : `The encrypted content for item ${fieldOf(strange, "id")} ${UNKNOWN}`;
}

const reasoningOf = ({ type, item }: ResponseEvent): readonly string[] =>
  type === "response.output_item.done" && fieldOf(item, "type") === "reasoning" ? [fingerprint(item)] : [];

const fingerprint = (item: unknown): string =>
  JSON.stringify(["id", "summary", "encrypted_content"].map((name) => fieldOf(item, name)));

const refused = (message: string): ResponsesReply =>
  failureReply(400, "invalid_request_error", {
    message,
    ...(message.endsWith(UNKNOWN) && { code: "invalid_encrypted_content" }),
  });

async function respond(reply: ResponsesReply, recorded: RecordedRequest, broken?: AbortSignal): Promise<Response> {
  if ("status" in reply) {
    const { status, body, headers } = reply;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });
  }
  await Bun.sleep(reply.before ?? 0);
  const form = reply.form ?? (fieldOf(recorded.body, "stream") === true ? "stream" : "document");
  const text = form === "document" ? documentText(reply.events) : streamText(reply.events);
  const type = form === "document" ? "application/json" : "text/event-stream; charset=utf-8";
  return new Response(deliveredBytes(new TextEncoder().encode(text), reply, broken), {
    headers: { "content-type": type },
  });
}

/** The events as the API frames them; there is no end mark beside the last one. */
const streamText = (events: readonly ResponseEvent[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

/** The one document in place of events; half of it where they break off. */
function documentText(events: readonly ResponseEvent[]): string {
  const { type, response } = events.at(-1) ?? { type: "", response: {} };
  const text = JSON.stringify(response ?? events);
  return /completed|incomplete|failed/.test(type) ? text : text.slice(0, text.length / 2);
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

import { type Delivery, deliveredBytes } from "../support/delivered-bytes.ts";
import type { Wire } from "../support/wire-server.ts";
import type { Body } from "./oddity.ts";
import { plainAnswer } from "./wire-bodies.ts";

/** The very bytes of a response. */
export interface PlayedReply extends Delivery {
  readonly body: string;
  /** Default 200. */
  readonly status?: number;
  /** Default `text/event-stream`, or `application/json` where the status is no success. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply, the body of a stream, or what follows from the body of the request. */
export type Replied = PlayedReply | string | ((body: Body) => PlayedReply | string);

export interface PlayedServer extends Disposable {
  readonly url: string;
  readonly bodies: readonly Body[];
  /** The paths that were asked. */
  readonly paths: readonly string[];
  /** What a program needs to ask it as the server of any vendor. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A key that no server checks. */
export const playedKey = "sk-world-0123456789";

const vendors = ["OPENAI", "GEMINI", "MISTRAL", "OPENROUTER", "GROQ", "DEEPSEEK", "XAI", "OLLAMA"] as const;

/** Plays replies over loopback, whatever is asked; then a plain answer for ever. It stops when the test's scope ends. */
export function playedServer(wire: Wire, replies: readonly Replied[]): PlayedServer {
  const bodies: Body[] = [];
  const paths: string[] = [];
  const waiting = [...replies];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const body: Body = JSON.parse(await request.text());
      bodies.push(body);
      paths.push(new URL(request.url).pathname);
      const reply = waiting.shift() ?? plainAnswer(wire, body["stream"] === true);
      return responseOf(typeof reply === "function" ? reply(body) : reply);
    },
  });
  const { origin } = server.url;
  return {
    url: origin,
    bodies,
    paths,
    environment: environmentOf(origin),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function environmentOf(origin: string): Readonly<Record<string, string>> {
  const keys = vendors.map((name) => [`${name}_API_KEY`, playedKey]);
  const urls = vendors.map((name) => [`${name}_BASE_URL`, `${origin}/v1`]);
  return {
    ...Object.fromEntries([...keys, ...urls]),
    ANTHROPIC_API_KEY: playedKey,
    ANTHROPIC_BASE_URL: origin,
    AZURE_OPENAI_API_KEY: playedKey,
    AZURE_OPENAI_ENDPOINT: origin,
  };
}

function responseOf(reply: PlayedReply | string): Response {
  const played = typeof reply === "string" ? { body: reply } : reply;
  const { body, status = 200, headers } = played;
  const type = played.type ?? (status < 300 ? "text/event-stream" : "application/json");
  const bytes = deliveredBytes(new TextEncoder().encode(body), played, undefined);
  return new Response(bytes, { status, headers: { ...(type !== "" && { "content-type": type }), ...headers } });
}

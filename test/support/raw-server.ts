import { type AssistantMessage, type LanguageModel, openModel } from "@mdx-ai/models";
import { endOf, eventsOf } from "./model-request.ts";

/** An answer as bytes, as some server sent it. */
export interface RawAnswer {
  readonly body: string;
  /** Default `text/event-stream`; empty for none. */
  readonly type?: string;
  /** Where the body is cut into writes; default nowhere. */
  readonly cuts?: readonly number[];
}

/** A server on loopback that gives each request the next of these answers, whatever it is asked. */
export interface RawServer extends Disposable {
  readonly origin: string;
  /** Of each request, in order. */
  readonly bodies: readonly string[];
}

/** Starts a server of raw answers; it stops when the test's scope ends. */
export function rawServer(...answers: readonly RawAnswer[]): RawServer {
  const waiting = [...answers];
  const bodies: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      bodies.push(await request.text());
      const answer = waiting.shift();
      if (answer === undefined) return new Response("no more answers", { status: 400 });
      const { type = "text/event-stream" } = answer;
      return new Response(writesOf(answer), { headers: type === "" ? {} : { "content-type": type } });
    },
  });
  return { origin: server.url.origin, bodies, [Symbol.dispose]: () => void server.stop(true) };
}

function writesOf({ body, cuts = [] }: RawAnswer): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body);
  const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length];
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const end = ends.shift();
      if (end === undefined) return controller.close();
      await Bun.sleep(0);
      if (end > sent) controller.enqueue(bytes.subarray(sent, end));
      sent = Math.max(sent, end);
    },
  });
}

/** The protocols whose raw answers are read here. */
export type RawProtocol = "chat" | "anthropic" | "responses";

/** A model at the address of a raw server. */
export function rawModel({ origin }: RawServer, protocol: RawProtocol, name = "local"): Promise<LanguageModel> {
  const models = { chat: `openai/${name}`, anthropic: "anthropic/claude-test", responses: "openai/gpt-test" };
  return openModel(models[protocol], { environment: {}, apiKey: "k", baseUrl: origin });
}

/** What a model makes of a raw answer. */
export async function readRaw(protocol: RawProtocol, answer: RawAnswer): Promise<AssistantMessage> {
  using server = rawServer(answer);
  return endOf(await eventsOf(await rawModel(server, protocol))).message;
}

/** Lines of server-sent events with these values as their data. */
export const events = (...values: readonly unknown[]): string =>
  values.map((value) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`).join("");

/** A chunk of chat completions. */
export const chunk = (delta: unknown, finish_reason: unknown = null): unknown => ({
  choices: [{ index: 0, delta, finish_reason }],
});

/** A chunk with a piece of a call. */
export const callChunk = (fields: object, called: object, finish_reason: unknown = null): unknown =>
  chunk({ tool_calls: [{ ...fields, function: called }] }, finish_reason);

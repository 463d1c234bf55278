/**
 * Chat completions on loopback that play scripted replies, refuse what the real ones refuse, and record what they were
 * asked. A reply is played as a stream, or as one document where none is asked for.
 *
 * @example
 * ```ts
 * using server = openAiServer(toolReply({ id: "c1", name: "read_file", input: { path: "a" } }), textReply("Done."));
 * const model = await openModel("openai/gpt-4.1", { environment: server.environment("openai") });
 * // … or start a program with `server.environment("openai")` in its environment …
 * expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined]);
 * ```
 */

import { deliveredBytes } from "./delivered-bytes.ts";
import { documentOf } from "./openai-document.ts";
import { refusalOf } from "./openai-refusal.ts";
import { type Chunk, failureReply, type OpenAiReply } from "./openai-replies.ts";
import { azureVersions, type RuledVendor, type VendorRules, vendorRules } from "./openai-rules.ts";

/** A request that the server has received. */
interface RecordedRequest {
  /** With its query. */
  readonly path: string;
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

export interface OpenAiServer extends Disposable {
  /** What a program needs in its environment to ask this server as that vendor's: a key and the address. */
  environment(vendor: RuledVendor): Readonly<Record<string, string>>;
  /** In the order of arrival, refused ones and further attempts included. */
  readonly requests: readonly RecordedRequest[];
  /** Breaks the connections of replies that hang. Bytes that the client has not read yet may be lost, as on any reset. */
  breakOff(): void;
}

/** The key that the server demands. */
export const testKey = "sk-test-key-0123456789";

/** The variables of each vendor, and the path below the server's address that stands in for the vendor's. */
const variables: Readonly<Record<RuledVendor, { readonly key?: string; readonly url: string; readonly path: string }>> =
  {
    openai: { key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", path: "/openai/v1" },
    azure: { key: "AZURE_OPENAI_API_KEY", url: "AZURE_OPENAI_ENDPOINT", path: "/azure" },
    gemini: { key: "GEMINI_API_KEY", url: "GEMINI_BASE_URL", path: "/gemini/v1" },
    mistral: { key: "MISTRAL_API_KEY", url: "MISTRAL_BASE_URL", path: "/mistral/v1" },
    openrouter: { key: "OPENROUTER_API_KEY", url: "OPENROUTER_BASE_URL", path: "/openrouter/v1" },
    groq: { key: "GROQ_API_KEY", url: "GROQ_BASE_URL", path: "/groq/v1" },
    deepseek: { key: "DEEPSEEK_API_KEY", url: "DEEPSEEK_BASE_URL", path: "/deepseek/v1" },
    xai: { key: "XAI_API_KEY", url: "XAI_BASE_URL", path: "/xai/v1" },
    ollama: { url: "OLLAMA_BASE_URL", path: "/ollama/v1" },
  };

/** Starts a server on a free port of loopback, for all vendors at once; it stops when the test's scope ends. */
export function openAiServer(...replies: OpenAiReply[]): OpenAiServer {
  const requests: RecordedRequest[] = [];
  const waiting = [...replies];
  const broken = new AbortController();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const recorded = await record(request);
      requests.push(recorded);
      return answer(request.method, recorded, { waiting, broken: broken.signal });
    },
  });
  return {
    environment: (vendor) => {
      const { key, url, path } = variables[vendor];
      return { [url]: `${server.url.origin}${path}`, ...(key === undefined ? {} : { [key]: testKey }) };
    },
    requests,
    breakOff: () => broken.abort(),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

async function record(request: Request): Promise<RecordedRequest> {
  const text = await request.text();
  const { pathname, search } = new URL(request.url);
  const { headers, signal: closed } = request;
  const path = pathname + search;
  const rules = standInAt(path)?.rules;
  const refusal = rules === undefined ? undefined : refusalOf(text, rules);
  return { path, text, body: bodyOf(text), headers, refusal, closed };
}

/** Whose server stands at a path, and what it accepts; undefined where there is none. */
function standInAt(path: string): { readonly vendor: RuledVendor; readonly rules: VendorRules } | undefined {
  const [, version = ""] =
    /^\/azure\/openai\/deployments\/[^/]+\/chat\/completions\?api-version=(.*)$/.exec(path) ?? [];
  const azure = azureVersions[version];
  if (azure !== undefined) return { vendor: "azure", rules: azure };
  const vendor = bearerVendors.find((name) => path === `${variables[name].path}/chat/completions`);
  return vendor === undefined ? undefined : { vendor, rules: vendorRules[vendor] };
}

const bearerVendors: readonly RuledVendor[] = [
  "openai",
  "gemini",
  "mistral",
  "openrouter",
  "groq",
  "deepseek",
  "xai",
  "ollama",
];

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a server will answer, and the signal that breaks its connections. */
interface Script {
  readonly waiting: OpenAiReply[];
  readonly broken: AbortSignal;
}

async function answer(method: string, recorded: RecordedRequest, { waiting, broken }: Script): Promise<Response> {
  const vendor = standInAt(recorded.path)?.vendor;
  if (method !== "POST" || vendor === undefined) return respond(failureReply(404, "invalid_request_error"));
  if (!isAllowed(recorded, vendor))
    return respond(failureReply(401, "invalid_request_error", { code: "invalid_api_key" }));
  if (!recorded.headers.get("content-type")?.startsWith("application/json")) return refuse("content-type: not JSON");
  if (recorded.refusal !== undefined) return refuse(recorded.refusal);
  const reply = waiting.shift() ?? failureReply(500, "server_error", { headers: { "x-should-retry": "false" } });
  return "status" in reply
    ? respond(reply)
    : respond({ form: formAskedFor(recorded), ...asked(reply, recorded) }, broken);
}

function isAllowed({ headers }: RecordedRequest, vendor: RuledVendor): boolean {
  if (vendor === "ollama") return !headers.has("authorization");
  if (vendor === "azure") return headers.get("api-key") === testKey && !headers.has("authorization");
  return headers.get("authorization") === `Bearer ${testKey}` && !headers.has("api-key");
}

function refuse(message: string): Promise<Response> {
  return respond(failureReply(400, "invalid_request_error", { message }));
}

type Answer = Extract<OpenAiReply, { chunks: unknown }>;

const formAskedFor = ({ body }: RecordedRequest): "stream" | "document" =>
  typeof body === "object" && body !== null && "stream" in body && body.stream === true ? "stream" : "document";

/** A chunk of usage comes to those alone who ask for it. */
function asked(reply: Answer, recorded: RecordedRequest): Answer {
  const isAsked = recorded.text.includes('"include_usage":true') || formAskedFor(recorded) === "document";
  const isUsage = ({ choices, usage }: Chunk): boolean =>
    Array.isArray(choices) && choices.length === 0 && Boolean(usage);
  return { ...reply, chunks: reply.chunks.filter((chunk) => isAsked || !isUsage(chunk)) };
}

async function respond(reply: OpenAiReply, broken?: AbortSignal): Promise<Response> {
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

/** The bytes of chunks as servers frame them, after a comment that keeps the connection alive. */
function streamText({ chunks, done = true }: Answer): string {
  const data = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
  return `: OPENROUTER PROCESSING\n\n${data}${done ? "data: [DONE]\n\n" : ""}`;
}

function stream(reply: Answer, broken: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(reply.form === "document" ? documentOf(reply.chunks) : streamText(reply));
  return deliveredBytes(bytes, reply, broken);
}

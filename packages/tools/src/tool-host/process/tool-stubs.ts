import type { ToolStubs } from "@mdx-ai/loop";
import type { ExampleFetch, ExampleResponse } from "@mdx-ai/parser";

/** The replacements for the network and the clock, from before the tool's code is loaded until its process ends. */
export class InstalledStubs {
  readonly #declared: readonly ExampleFetch[] | undefined;
  /** The number of requests of each entry with several answers in this call. */
  #received = new Map<ExampleFetch, number>();
  /** The first undeclared request of this call: the call fails because of it, even if the tool catches the error. */
  undeclared: Error | undefined;

  /** Replaces the global `fetch`, and `Date` if a time is set. */
  constructor({ fetch: declared, now }: ToolStubs) {
    this.#declared = declared;
    const real = globalThis.fetch;
    const stubbed = async (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
      this.#respond(requestOf(input, init)) ?? real(input, init);
    globalThis.fetch = Object.assign(stubbed, { preconnect: () => {} });
    if (now !== undefined) stopClock(now);
  }

  /** Begins a call, with all answers available again. */
  begin(): void {
    this.#received = new Map();
    this.undeclared = undefined;
  }

  /** The declared answer; undefined for a request that stays on this machine. Throws if there is none. */
  #respond({ method, url, signal }: StubbedRequest): Response | undefined {
    if (!/^https?:$/.test(url.protocol)) return undefined;
    const all = (this.#declared ?? []).filter((entry) => entry.url === url.href);
    const entry = all.find((one) => one.method === method) ?? all.find((one) => one.method === undefined);
    if (entry === undefined && this.#declared === undefined && isLoopback(url)) return undefined;
    signal?.throwIfAborted();
    const response = entry && this.#nextOf(entry);
    if (response !== undefined) return responseOf(response, url.href);
    const error = new Error(entry ? exhaustedText(entry) : undeclaredText(method, url.href));
    this.undeclared ??= error;
    throw error;
  }

  #nextOf(entry: ExampleFetch): ExampleResponse | undefined {
    const index = this.#received.get(entry) ?? 0;
    this.#received.set(entry, index + 1);
    return entry.responses[entry.isSequence ? index : 0];
  }
}

interface StubbedRequest {
  readonly method: string;
  /** The URL without its fragment. */
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
}

/** Does not read the body of a `Request`. Throws for an invalid URL, as `fetch` does. */
function requestOf(input: string | URL | Request, init: RequestInit = {}): StubbedRequest {
  const request = input instanceof Request ? input : undefined;
  const url = new URL(request?.url ?? String(input));
  url.hash = "";
  const method = (init.method ?? request?.method ?? "GET").toUpperCase();
  return { method, url, signal: init.signal ?? request?.signal };
}

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

function undeclaredText(method: string, url: string): string {
  const key = JSON.stringify(method === "GET" ? url : `${method} ${url}`);
  return `the example declares no answer to ${method} ${url}: add ${key}: {"status": 200, "body": …} to its \`\`\`json fetch block`;
}

function exhaustedText({ method, url, responses }: ExampleFetch): string {
  const count = responses.length === 1 ? "one answer" : `${responses.length} answers`;
  return `the example declares ${count} to ${method ?? "requests of"} ${url}, and the tool made one request more: add an answer to the array in its \`\`\`json fetch block`;
}

function responseOf({ status, headers, body }: ExampleResponse, url: string): Response {
  const isText = body === undefined || typeof body === "string";
  const all = new Headers(headers);
  if (!isText && !all.has("content-type")) all.set("content-type", "application/json");
  const response = new Response(isText ? (body ?? null) : JSON.stringify(body), { status, headers: all });
  // Only a network response has one.
  Object.defineProperty(response, "url", { value: url });
  return response;
}

/** Freezes `Date`; `performance`, `Temporal` and timers continue. */
function stopClock(now: number): void {
  const TrueDate = globalThis.Date;
  const stopped = new Proxy(TrueDate, {
    apply: () => new TrueDate(now).toString(),
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now] : args, newTarget),
    get: (target, key) => (key === "now" ? () => now : Reflect.get(target, key)),
  });
  TrueDate.prototype.constructor = stopped;
  globalThis.Date = stopped;
}

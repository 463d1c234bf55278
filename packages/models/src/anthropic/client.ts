import { BaseAnthropic } from "@anthropic-ai/sdk";
import { requestFailure } from "./failures.ts";
import type { AnthropicSettings } from "./settings.ts";

/** A request on its way. */
interface Sending {
  readonly signal: AbortSignal;
  /** All is made ready at once, but nothing leaves before this resolves. */
  readonly ready: Promise<void>;
}

/** A wait beyond this is for the user to decide on. Seconds. */
const longestWait = 60;

/** Characters that are read of a failure: a server may send one without end. */
const longestFailure = 100_000;

/** What the SDK sends of itself. It also adds what ANTHROPIC_CUSTOM_HEADERS of the process says, which nobody passed in. */
const ownHeaders = /^(?:accept|anthropic-version|authorization|content-type|user-agent|x-stainless-.*)$/;

/**
 * Sends a body to the Messages API; the answer is a stream that nobody has read from. Two more attempts follow a failure
 * that may pass. Rejects with `ModelError`, or as it may when `signal` fires.
 *
 * This file loads Anthropic's SDK, so it is to be imported when first used; what is imported here by name alone halves
 * the SDK in a bundle.
 */
export async function send(settings: AnthropicSettings, body: string, { signal, ready }: Sending): Promise<Response> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${settings.key}` };
  const client = openClient(settings, (url, init) => sendOnce(url, init, ready));
  try {
    return await client.post("/v1/messages", { body, headers, signal }).asResponse();
  } catch (error) {
    throw requestFailure(error, settings);
  }
}

/** Sets the SDK up so that it reads no environment, writes no log and traces nothing. */
const openClient = ({ key, baseUrl }: AnthropicSettings, fetch: Send): BaseAnthropic =>
  new BaseAnthropic({
    apiKey: key,
    authToken: null,
    webhookKey: null,
    baseURL: baseUrl,
    logLevel: "off",
    openTelemetry: false,
    maxRetries: 2,
    fetch,
  });

type FetchUrl = Parameters<typeof globalThis.fetch>[0];
type FetchOptions = Parameters<typeof globalThis.fetch>[1];
type Send = (url: FetchUrl, init?: FetchOptions) => Promise<Response>;

async function sendOnce(url: FetchUrl, init: FetchOptions, ready: Promise<void>): Promise<Response> {
  const headers = [...new Headers(init?.headers)].filter(([name]) => ownHeaders.test(name));
  await ready;
  const response = await fetch(url, { ...init, headers });
  return response.ok ? response : judgeFailure(response);
}

/** The SDK tries again after any failure of certain statuses; where that is in vain or takes too long, this tells it not to. */
async function judgeFailure(response: Response): Promise<Response> {
  const text = await beginningOf(response);
  const headers = new Headers(response.headers);
  const isFinal = text.includes("spend_limit_reached") || secondsToWait(headers) > longestWait;
  if (isFinal) headers.set("x-should-retry", "false");
  return new Response(text, { status: response.status, headers });
}

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > longestFailure) break;
  }
  return text;
}

/** How long the SDK would wait: it takes the number that a header begins with, and passes over zero. NaN where no header says. */
function secondsToWait(headers: Headers): number {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (milliseconds) return milliseconds / 1000;
  const after = headers.get("retry-after") ?? "";
  const seconds = Number.parseFloat(after);
  return Number.isNaN(seconds) ? (Date.parse(after) - Date.now()) / 1000 : seconds;
}

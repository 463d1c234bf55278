import { BaseAnthropic } from "@anthropic-ai/sdk";
import type { Connection } from "../http/connection.ts";
import { requestFailure } from "../http/failures.ts";
import { endless, sendOnce } from "../http/send-once.ts";
import type { Sending } from "../http/wire-protocol.ts";

/** What the SDK sends of itself, but for a time-out that is none. It also adds what ANTHROPIC_CUSTOM_HEADERS of the process says. */
const ownHeaders = /^(?:accept|anthropic-version|authorization|content-type|user-agent|x-stainless-(?!timeout).*)$/;

/**
 * Sends a body to the Messages API, once; nobody has read from the answer. Rejects with `ModelError`, or as it may when
 * `signal` fires.
 *
 * This file loads Anthropic's SDK, so it is to be imported when first used; what is imported here by name alone halves
 * the SDK in a bundle.
 */
export async function send(connection: Connection, body: string, { signal, ready }: Sending): Promise<Response> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${connection.key}` };
  try {
    return await openClient(connection, ready).post("/v1/messages", { body, headers, signal }).asResponse();
  } catch (error) {
    throw requestFailure(error, connection);
  }
}

/** Sets the SDK up so that it reads no environment, writes no log, traces nothing and repeats nothing. */
const openClient = ({ key, baseUrl }: Connection, ready: Promise<void>): BaseAnthropic =>
  new BaseAnthropic({
    apiKey: key,
    authToken: null,
    webhookKey: null,
    baseURL: baseUrl,
    logLevel: "off",
    openTelemetry: false,
    maxRetries: 0,
    timeout: endless,
    fetch: sendOnce({ ready, headers: ownHeaders }),
  });

import { OpenAI } from "openai/client";
import type { Connection } from "../http/connection.ts";
import { requestFailure } from "../http/failures.ts";
import type { Sending } from "../http/wire-protocol.ts";
import { plainError, sdkSettings } from "./sdk-settings.ts";

/**
 * Sends a body to the chat completions of a server, once; nobody has read from the answer. Rejects with `ModelError`, or
 * as it may when `signal` fires.
 *
 * This file loads OpenAI's SDK, so it is to be imported when first used; the entry named here is its smallest.
 */
export async function send(connection: Connection, body: string, { signal, ready }: Sending): Promise<Response> {
  const { key, baseUrl } = connection;
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    authorization: key === "" ? null : `Bearer ${key}`,
  };
  try {
    const client = new OpenAI({ ...sdkSettings(connection, ready, "authorization"), baseURL: baseUrl });
    return await client.post("/chat/completions", { body, headers, signal }).asResponse();
  } catch (error) {
    throw requestFailure(plainError(error), connection);
  }
}

import { AzureOpenAI } from "openai/azure";
import type { Connection } from "../http/connection.ts";
import { requestFailure } from "../http/failures.ts";
import type { Sending } from "../http/wire-protocol.ts";
import { plainError, sdkSettings } from "./sdk-settings.ts";

/** What Azure serves a model as. */
interface Deployment {
  readonly name: string;
  /** A date, such as 2024-02-01. */
  readonly apiVersion: string;
  readonly connection: Connection;
}

/**
 * Sends a body to a deployment of Azure, once; nobody has read from the answer. Rejects with `ModelError`, or as it may
 * when `signal` fires.
 *
 * This file loads OpenAI's SDK, so it is to be imported when first used.
 */
export async function send(deployment: Deployment, body: string, { signal, ready }: Sending): Promise<Response> {
  const { name, apiVersion, connection } = deployment;
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "api-key": connection.key,
  };
  // People copy the endpoint with this end and without.
  const baseURL = `${connection.baseUrl.replace(/\/openai$/, "")}/openai`;
  // The SDK finds the path of a deployment by itself, but only for a body that it may take apart.
  const path = `/deployments/${encodeURIComponent(name)}/chat/completions`;
  try {
    const client = new AzureOpenAI({
      ...sdkSettings(connection, ready, "api-key"),
      baseURL,
      apiVersion,
      deployment: name,
    });
    return await client.post(path, { body, headers, signal }).asResponse();
  } catch (error) {
    throw requestFailure(plainError(error), connection);
  }
}

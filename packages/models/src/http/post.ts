import type { Connection } from "../vendors/connection.ts";
import type { StreamReader } from "./answer-reader.ts";
import { UnreadFailure } from "./unread-failure.ts";

/** Characters read of a refusal, which may be endless. */
const longestRefusal = 100_000;

/** Milliseconds to wait for the text of a refusal. */
const longestWait = 2000;

const commonHeaders = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  "user-agent": "mdx-ai",
};

/**
 * Sends a JSON body. Returns the response of a success with its body unread. Sends once, follows no redirect, and is not logged (with the
 * key), whatever BUN_CONFIG_VERBOSE_FETCH says. Rejects with `UnreadFailure`, or as `fetch` does when `signal` fires.
 */
export async function post(connection: Connection, body: string, signal: AbortSignal): Promise<Response> {
  const { url, headers } = connection;
  const response = await fetch(url, {
    method: "POST",
    headers: { ...commonHeaders, ...headers },
    body,
    signal,
    redirect: "manual",
    timeout: false,
    verbose: false,
  }).catch((error: unknown) => {
    throw new UnreadFailure(({ connectionFailure, proxyFor }) =>
      connectionFailure(error, connection.host, proxyFor(url, process.env)),
    );
  });
  if (response.ok) return response;
  const { status, headers: answered } = response;
  const text = await beginningOf(response);
  throw new UnreadFailure(({ refusalFailure, proxyFor }) =>
    refusalFailure({ status, headers: answered, text }, { ...connection, proxy: proxyFor(url, process.env) }),
  );
}

/** The start of a refusal's text; the status is enough if the rest does not arrive. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader: StreamReader<Uint8Array> = body.getReader();
  const close = (): void => void reader.cancel().catch(() => {});
  const timer = setTimeout(close, longestWait);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let next = await reader.read(); !next.done && text.length <= longestRefusal; next = await reader.read()) {
      text += decoder.decode(next.value, { stream: true });
    }
  } catch {
    // The connection broke.
  }
  clearTimeout(timer);
  close();
  return text;
}

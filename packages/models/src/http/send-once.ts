import type { StreamReader } from "./read-out.ts";

type FetchUrl = Parameters<typeof globalThis.fetch>[0];
type FetchOptions = Parameters<typeof globalThis.fetch>[1];

/** What an SDK is given in place of `fetch`. */
export type Send = (url: FetchUrl, init?: FetchOptions) => Promise<Response>;

export interface SendOptions {
  /** Nothing leaves before this resolves. */
  readonly ready: Promise<void>;
  /** The headers that may leave. SDKs add others from the environment of the process, which nobody passed in. */
  readonly headers: RegExp;
}

/**
 * The time-out to set an SDK up with, in milliseconds: so long that it is never the one to give up. How long to wait is
 * decided by whoever listens for the answer.
 */
export const endless: number = 2 ** 31 - 1;

/** Characters that are read of a failure: a server may send one without end. */
const longestFailure = 100_000;

/** How long the text of a failure is waited for. Milliseconds. */
const longestWait = 2000;

/**
 * Sends what an SDK has made ready, with the headers of ours alone, when it may leave; not to where it is redirected, and
 * without the log of it, key and all, that BUN_CONFIG_VERBOSE_FETCH asks for.
 */
export function sendOnce({ ready, headers: allowed }: SendOptions): Send {
  return async (url, init) => {
    const headers = [...new Headers(init?.headers)].filter(([name]) => allowed.test(name));
    await ready;
    const response = await fetch(url, { ...init, headers, redirect: "manual", timeout: false, verbose: false });
    if (response.ok) return response;
    return new Response((await beginningOf(response)) || null, { status: response.status, headers: response.headers });
  };
}

/** What came of a failure, also where the rest does not come: its status says enough. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader: StreamReader<Uint8Array> = body.getReader();
  const close = (): void => void reader.cancel().catch(() => {});
  const timer = setTimeout(close, longestWait);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let next = await reader.read(); !next.done && text.length <= longestFailure; next = await reader.read()) {
      text += decoder.decode(next.value, { stream: true });
    }
  } catch {
    // A connection that broke.
  }
  clearTimeout(timer);
  close();
  return text;
}

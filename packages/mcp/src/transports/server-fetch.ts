import { type Environment, isRecord } from "@mdx-ai/base";
import { boundedFetch, type Fetch } from "./bounded-fetch.ts";
import type { HttpAnswers } from "./http-answers.ts";
import { explainedFetch } from "./unreachable.ts";

export interface FetchedServer {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The `fetch` for a server and its sign-in. */
export const serverFetch = (server: FetchedServer, environment: Environment, answers: HttpAnswers): Fetch =>
  withOwnHeaders(
    server,
    farFetch(server.url, withSharedRefresh(answers.over(explainedFetch(boundedFetch, environment)))),
  );

/** As `fetch`, but another origin does not get the server's headers, which may be keys; the client adds them to every request. */
function withOwnHeaders({ url: server, headers: own }: FetchedServer, fetch: Fetch): Fetch {
  return (url, init) => {
    if (new URL(url).origin === server.origin) return fetch(url, init);
    const headers = new Headers(init?.headers);
    for (const [name, value] of new Headers(own)) if (headers.get(name) === value) headers.delete(name);
    return fetch(url, { ...init, headers });
  };
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * As `fetch`, but requests to another origin than the server's must use https, unless the server is on this machine, and follow no
 * redirects. This stops a server from directing sign-in requests to this machine, the local network or a cloud's metadata service.
 */
export function farFetch(server: URL, fetch: Fetch): Fetch {
  if (LOOPBACK.test(server.hostname)) return fetch;
  return async (url, init) => {
    const { origin, protocol, hostname } = new URL(url);
    if (origin === server.origin) return fetch(url, init);
    if (protocol !== "https:" || LOOPBACK.test(hostname)) {
      throw new Error(
        `The server names ${origin} for its sign-in, which is blocked: it is not an https address on another machine.`,
      );
    }
    return fetch(url, { ...init, redirect: "error" });
  };
}

/**
 * As `fetch`, but a rejected access token leads to one refresh only: requests with the same refresh token share the pending answer, and its
 * tokens are reused until the server rejects them. Otherwise a delayed rejection would consume the new refresh token, and the user would
 * have to sign in again.
 */
function withSharedRefresh(fetch: Fetch): Fetch {
  const underway = new Map<string, Promise<Answer>>();
  const refused = new Set<string>();
  let last: Answer | undefined;
  const refresh = async (url: string | URL, init: RequestInit | undefined, token: string): Promise<Answer> => {
    const answer = await readAnswer(await fetch(url, init), token);
    if (answer.accessToken !== undefined) last = answer;
    refused.clear();
    return answer;
  };
  return async (url, init) => {
    const body = init?.body instanceof URLSearchParams ? init.body : new URLSearchParams();
    if (body.get("grant_type") !== "refresh_token") {
      const response = await fetch(url, init);
      if (response.status === 401) refused.add(new Headers(init?.headers).get("authorization") ?? "");
      return response;
    }
    const token = body.get("refresh_token") ?? "";
    if (last?.refreshToken === token && !refused.has(`Bearer ${last.accessToken}`)) return responseOf(last);
    const key = `${url} ${body}`;
    const shared = underway.get(key) ?? refresh(url, init, token).finally(() => underway.delete(key));
    underway.set(key, shared);
    return responseOf(await shared);
  };
}

interface Answer {
  readonly text: string;
  readonly status: number;
  readonly headers: Headers;
  /** Absent if it gives none. */
  readonly accessToken?: string;
  /** For the next request: the new token, or the old one if it stays valid. */
  readonly refreshToken: string;
}

const responseOf = ({ text, status, headers }: Answer): Response => new Response(text, { status, headers });

async function readAnswer(response: Response, sent: string): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const tokens: unknown = await new Response(text).json().catch(() => undefined);
  const { access_token: accessToken, refresh_token: refreshToken = sent } = isRecord(tokens) ? tokens : {};
  return {
    ...{ text, status, headers },
    ...(response.ok && typeof accessToken === "string" && { accessToken }),
    refreshToken: typeof refreshToken === "string" ? refreshToken : sent,
  };
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * As a `fetch`, but requests for new tokens that are under way at the same time with the same old one are one request: of several,
 * all but the first would come with a token that is used up, and the user would have to sign in again.
 */
export function withSharedRefresh(fetch: Fetch): Fetch {
  const underway = new Map<string, Promise<Answer>>();
  return async (url, init) => {
    const body = init?.body instanceof URLSearchParams ? init.body : new URLSearchParams();
    if (body.get("grant_type") !== "refresh_token") return fetch(url, init);
    const key = `${url} ${body}`;
    const shared = underway.get(key) ?? readAnswer(fetch(url, init)).finally(() => underway.delete(key));
    underway.set(key, shared);
    const { text, status, headers } = await shared;
    return new Response(text, { status, headers });
  };
}

interface Answer {
  readonly text: string;
  readonly status: number;
  readonly headers: Headers;
}

async function readAnswer(asked: Promise<Response>): Promise<Answer> {
  const response = await asked;
  return { text: await response.text(), status: response.status, headers: response.headers };
}

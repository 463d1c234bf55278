type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * As a `fetch`, but another origin than the server's is asked over https alone, unless the server is on this machine: what a server says of
 * its sign-in must not send requests to this machine, its neighbours or a cloud's metadata, which rarely speak https. Redirects are not followed there.
 */
export function farFetch(server: URL, fetch: Fetch): Fetch {
  if (LOOPBACK.test(server.hostname)) return fetch;
  return async (url, init) => {
    const { origin, protocol, hostname } = new URL(url);
    if (origin === server.origin) return fetch(url, init);
    if (protocol !== "https:" || LOOPBACK.test(hostname)) {
      throw new Error(
        `The server names ${origin} for its sign-in, which is not asked: it is not an https address elsewhere.`,
      );
    }
    return fetch(url, { ...init, redirect: "error" });
  };
}

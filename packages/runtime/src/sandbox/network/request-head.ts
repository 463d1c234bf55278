import { type Destination, destinationOf } from "./allowed-hosts.ts";

/** What a client asks of a proxy. */
export interface ProxyRequest {
  readonly destination: Destination;
  /** What the destination gets to read first; undefined for a tunnel, which begins with nothing. */
  readonly head: string | undefined;
}

/** Headers between a client and its proxy, and those that say what stands in the first line. */
const OF_THE_PROXY = /^(?:proxy-[^:]*|connection|keep-alive|host|upgrade)\s*:/i;

/** Reads the head of a request to a proxy, without the empty line at its end; undefined where it is none. */
export function proxyRequest(head: string): ProxyRequest | undefined {
  const [first = "", ...headers] = head.split("\r\n");
  const [, method = "", target = "", version = ""] = /^([A-Z]+) (\S+) (HTTP\/1\.[01])$/.exec(first) ?? [];
  if (method === "CONNECT") {
    const destination = destinationOf(target);
    return destination && { destination, head: undefined };
  }
  const [, authority = "", path = ""] = /^http:\/\/([^/?#]+)([^#]*)/i.exec(target) ?? [];
  const destination = destinationOf(authority, 80);
  if (destination === undefined) return undefined;
  const own = [`Host: ${authority}`, "Connection: close"];
  const kept = headers.filter((header) => !OF_THE_PROXY.test(header));
  const line = `${method} ${path.startsWith("/") ? path : `/${path}`} ${version}`;
  return { destination, head: [line, ...own, ...kept, "", ""].join("\r\n") };
}

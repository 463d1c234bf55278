export interface RecordingProxy extends Disposable {
  /** Without a slash at its end. */
  readonly url: string;
  /** The bodies of the requests, byte for byte. */
  readonly bodies: readonly string[];
}

/** A server on loopback that hands everything on to another and records what it was sent. */
export function recordingProxy(target: string): RecordingProxy {
  const bodies: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = await request.text();
      bodies.push(body);
      return fetch(target + pathname + search, { method: request.method, headers: request.headers, body });
    },
  });
  return { url: server.url.origin, bodies, [Symbol.dispose]: () => void server.stop(true) };
}

/** A server on loopback in the place of somebody who wants keys: it answers all, and remembers what came. */
export interface AttackerServer extends Disposable {
  /** Without a slash at its end. */
  readonly url: string;
  /** Each request as text: method, address, headers and body. */
  readonly received: readonly string[];
}

/** Starts one on a free port; it stops when the test's scope ends. */
export function attackerServer(): AttackerServer {
  const received: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const headers = JSON.stringify([...request.headers]);
      received.push(`${request.method} ${request.url} ${headers} ${await request.text()}`);
      return Response.json({ stolen: true });
    },
  });
  return { url: server.url.origin, received, [Symbol.dispose]: () => void server.stop(true) };
}

/** Forwards requests to a server with its token, for programs that cannot send one. */
export function tokenProxy(target: string, token: string): AsyncDisposable & { readonly url: string } {
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0, idleTimeout: 0 },
    fetch: async (request) => {
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${token}`);
      const { method, signal } = request;
      const body = method === "POST" ? await request.arrayBuffer() : null;
      return fetch(target, { method, headers, body, signal, decompress: false });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

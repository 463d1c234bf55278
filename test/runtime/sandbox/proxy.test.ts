import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { FilteringProxy } from "../../../packages/runtime/src/sandbox/network/proxy.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const BIG = 8_000_000;

test("a client is told where the host that it talks to breaks off, and does not wait for ever", async () => {
  await using route = await openRoute((socket) => socket.once("data", () => socket.resetAndDestroy()));
  const client = await route.tunnel();
  client.write("hello");
  client.resume();
  await once(client, "close");
});

test("a connection to a host ends with that of its client", async () => {
  const left = Promise.withResolvers<void>();
  await using route = await openRoute((socket) => socket.resume().on("close", () => left.resolve()));
  const client = await route.tunnel();
  client.destroy();
  await left.promise;
});

test("what a host said before it left reaches a client that reads slowly, to the last byte", async () => {
  await using route = await openRoute((socket) => socket.end(Buffer.alloc(BIG)));
  const client = await route.tunnel();
  let bytes = 0;
  client.on("data", (piece) => {
    bytes += piece.length;
    client.pause();
    setTimeout(() => client.resume(), 1);
  });
  await once(client, "end");
  expect(bytes).toBe(BIG);
});

interface Route extends AsyncDisposable {
  /** A connection to the host through the proxy. */
  tunnel(): Promise<Socket>;
}

/** A host on this machine and a proxy that leads to it. */
async function openRoute(serve: (socket: Socket) => void): Promise<Route> {
  const folder = temporaryDirectory();
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    serve(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const authority = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const path = join(folder.path, "proxy.sock");
  const proxy = await FilteringProxy.open({ path, hosts: [authority] });
  return {
    tunnel: async () => {
      const client = connect({ path });
      client.on("error", () => {});
      client.write(`CONNECT ${authority} HTTP/1.1\r\n\r\n`);
      await once(client, "readable");
      expect(String(client.read(39))).toBe("HTTP/1.1 200 Connection established\r\n\r\n");
      return client;
    },
    [Symbol.asyncDispose]: async () => {
      proxy.close();
      server.close();
      folder[Symbol.dispose]();
    },
  };
}

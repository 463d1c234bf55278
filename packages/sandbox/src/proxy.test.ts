import { dlopen } from "bun:ffi";
import { describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { FilteringProxy, MAX_CLIENTS } from "./network/proxy.ts";

const BIG = 8_000_000;

test("a client learns that its host has broken off, and does not wait for ever", async () => {
  await using route = await openRoute((socket) => socket.once("data", () => socket.resetAndDestroy()));
  const client = await route.tunnel();
  client.write("hello");
  client.resume();
  await once(client, "close");
});

test("a connection to a host ends with its client's", async () => {
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

test("clients that ask for nothing cost the agent few connections, and the next one is served when they have left", async () => {
  await using route = await openRoute((socket) => socket.end("reached"));
  const clients = Array.from({ length: 400 }, () => connect({ path: route.path }).on("error", () => {}));
  const left = new Set<Socket>();
  for (const client of clients) {
    client.on("close", () => left.add(client));
    client.write("GET http://".padEnd(60_000, "x"));
  }
  await eventually(() => expect(left.size).toBeGreaterThanOrEqual(400 - MAX_CLIENTS));
  expect(left.size).toBe(400 - MAX_CLIENTS);
  for (const client of clients) client.destroy();
  await eventually(() => expect(left.size).toBe(clients.length));
  const client = await route.tunnel();
  expect(String((await once(client, "data"))[0])).toBe("reached");
});

/** A port of this machine on which nobody takes connections, and none is refused either: its queue is full. */
async function blackHole(port: number, host: string): Promise<AsyncDisposable> {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    listen: { args: ["i32", "i32"], returns: "i32" },
    close: { args: ["i32"], returns: "i32" },
  });
  const [AF_INET, SOCK_STREAM] = [2, 1];
  const descriptor = symbols.socket(AF_INET, SOCK_STREAM, 0);
  const name = new Uint8Array([
    AF_INET,
    0,
    port >> 8,
    port & 0xff,
    ...host.split(".").map(Number),
    ...Array(8).fill(0),
  ]);
  expect([symbols.bind(descriptor, name, name.length), symbols.listen(descriptor, 0)]).toStrictEqual([0, 0]);
  const first = connect({ host, port });
  await once(first, "connect");
  return {
    [Symbol.asyncDispose]: async () => {
      first.destroy();
      symbols.close(descriptor);
    },
  };
}

describe("a host with several addresses", () => {
  test("is reached at the next one where the first refuses", async () => {
    await using route = await openRoute((socket) => socket.end("reached"), ["127.0.0.2", "127.0.0.1"]);
    const client = await route.tunnel();
    expect(String((await once(client, "data"))[0])).toBe("reached");
  });

  test.skipIf(process.platform !== "linux")("is reached at the next one where the first never answers", async () => {
    await using route = await openRoute((socket) => socket.end("reached"), ["127.0.0.2", "127.0.0.1"]);
    await using _hole = await blackHole(route.port, "127.0.0.2");
    const client = await route.tunnel();
    expect(String((await once(client, "data"))[0])).toBe("reached");
  });

  test("is reported as out of reach if none answers", async () => {
    await using route = await openRoute((socket) => socket.end("reached"), ["127.0.0.2", "127.0.0.3"]);
    expect(await route.answer(`localhost:${route.port}`)).toStartWith("HTTP/1.1 502 Bad Gateway\r\n");
  });

  test("is tried at no address that is not of the internet", async () => {
    let connections = 0;
    const count = (socket: Socket): void => {
      connections += 1;
      socket.end();
    };
    await using route = await openRoute(count, ["127.0.0.2", "127.0.0.1", "::1"], (port) => `a.example:${port}`);
    expect(await route.answer(`a.example:${route.port}`)).toContain("a.example has no public address");
    expect(connections).toBe(0);
  });
});

interface Route extends AsyncDisposable {
  /** Of the host. */
  readonly port: number;
  /** Of the proxy's socket. */
  readonly path: string;
  /** A connection to the host through the proxy. */
  tunnel(): Promise<Socket>;
  /** All that the proxy says to a client that asks for a tunnel. */
  answer(authority: string): Promise<string>;
}

/** A host on this machine and a proxy that leads to it, by default by a name that has these addresses. */
async function openRoute(
  serve: (socket: Socket) => void,
  addresses: readonly string[] = ["127.0.0.1"],
  listed: (port: number) => string = (port) => `localhost:${port}`,
): Promise<Route> {
  const folder = temporaryDirectory();
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    serve(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const path = join(folder.path, "proxy.sock");
  const proxy = await FilteringProxy.open({ path, hosts: [listed(port)], resolve: async () => addresses });
  const ask = (authority: string): Socket => {
    const client = connect({ path });
    client.on("error", () => {});
    client.write(`CONNECT ${authority} HTTP/1.1\r\n\r\n`);
    return client;
  };
  return {
    ...{ port, path },
    tunnel: async () => {
      const client = ask(listed(port));
      await once(client, "readable");
      expect(String(client.read(39))).toBe("HTTP/1.1 200 Connection established\r\n\r\n");
      return client;
    },
    answer: async (authority) => {
      let said = "";
      for await (const bytes of ask(authority)) said += String(bytes);
      return said;
    },
    [Symbol.asyncDispose]: async () => {
      proxy.close();
      server.close();
      folder[Symbol.dispose]();
    },
  };
}

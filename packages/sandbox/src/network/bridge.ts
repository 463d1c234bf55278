import { connect, createServer, type Socket } from "node:net";
import { destinationOf } from "./allowed-hosts.ts";
import { BRIDGE_PORT, type BridgeTask } from "./bridge-environment.ts";

/**
 * Forwards a port of this process's loopback to the proxy, and the port of each listed host of this machine through a tunnel of
 * the proxy, until standard input ends. Writes a line when the ports are open. Rejects with the system's error.
 */
export async function runBridge({ socket, hosts }: BridgeTask): Promise<void> {
  const toProxy = (client: Socket): void => forward(client, connect({ path: socket, allowHalfOpen: true }));
  await listen("127.0.0.1", BRIDGE_PORT, toProxy);
  for (const host of hosts) await offer(host, socket);
  await Bun.write(Bun.stdout, "open\n");
  await Bun.stdin.text();
}

/** Offers a host of this machine at its own address and port. */
async function offer(host: string, socket: string): Promise<void> {
  const { host: name, port } = destinationOf(host) ?? { host: "", port: 0 };
  const addresses = name.toLowerCase() === "localhost" ? ["127.0.0.1", "::1"] : [name];
  for (const address of addresses) {
    // A port may be listed twice, by name and by address, and a system may have no IPv6. The proxy remains.
    await listen(address, port, (client) => tunnel(client, { host, socket })).catch(() => {});
  }
}

function listen(host: string, port: number, onClient: (client: Socket) => void): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, onClient);
  server.unref();
  return new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, ipv6Only: true }, () => resolve());
  });
}

/** Connects a client to a host through the proxy. A client of a service that does not run is disconnected. */
function tunnel(client: Socket, { host, socket }: { readonly host: string; readonly socket: string }): void {
  const proxy = connect({ path: socket, allowHalfOpen: true });
  endTogether(client, proxy);
  proxy.write(`CONNECT ${host} HTTP/1.1\r\n\r\n`);
  let head = "";
  const onData = (bytes: Buffer): void => {
    head += bytes.toString("latin1");
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    proxy.off("data", onData);
    proxy.pause();
    if (!head.startsWith("HTTP/1.1 200 ")) {
      client.resetAndDestroy();
      return;
    }
    client.write(head.slice(end + 4), "latin1");
    join(client, proxy);
  };
  proxy.on("data", onData);
}

function forward(client: Socket, proxy: Socket): void {
  endTogether(client, proxy);
  join(client, proxy);
}

function join(client: Socket, proxy: Socket): void {
  client.pipe(proxy);
  proxy.pipe(client);
}

function endTogether(client: Socket, proxy: Socket): void {
  const end = (): void => {
    client.destroy();
    proxy.destroy();
  };
  for (const side of [client, proxy]) side.unref().on("error", end).on("close", end);
}

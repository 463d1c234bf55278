import { connect, createServer } from "node:net";
import { BRIDGE_PORT } from "./bridge-environment.ts";

/**
 * Forwards a port of this process's loopback to the proxy until standard input ends. Writes a line when the port is open. Rejects
 * with the system's error.
 */
export async function runBridge(socket: string): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const proxy = connect({ path: socket, allowHalfOpen: true });
    const end = (): void => {
      client.destroy();
      proxy.destroy();
    };
    for (const side of [client, proxy]) side.unref().on("error", end).on("close", end);
    client.pipe(proxy);
    proxy.pipe(client);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(BRIDGE_PORT, "127.0.0.1", () => resolve());
  });
  server.unref();
  await Bun.write(Bun.stdout, "open\n");
  await Bun.stdin.text();
}

import { connect, createServer, type Socket } from "node:net";
import { constants } from "node:os";
import { BRIDGE, BRIDGE_PORT } from "./proxy-socket.ts";

/** The command that this process is to run beside the bridge; undefined if it was started for something else. */
export function commandBesideBridge(argv: readonly string[]): readonly string[] | undefined {
  const index = argv.indexOf(BRIDGE);
  return index === -1 ? undefined : argv.slice(index + 1);
}

/** Forwards a port of the sandbox's loopback to the proxy until the returned function is called. Rejects with the system's error. */
export async function openBridge(socket: string): Promise<() => void> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const proxy = connect({ path: socket, allowHalfOpen: true });
    const end = (): void => {
      for (const side of [client, proxy]) {
        open.delete(side);
        side.destroy();
      }
    };
    for (const side of [client, proxy]) {
      open.add(side);
      side.on("error", end).on("close", end);
    }
    client.pipe(proxy);
    proxy.pipe(client);
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(BRIDGE_PORT, "127.0.0.1", () => resolve());
  });
  return () => {
    server.close();
    for (const side of open) side.destroy();
  };
}

/** Runs a command beside the bridge that it needs, and returns its exit code. Rejects with the system's error. */
export async function runBesideBridge(socket: string, command: readonly string[]): Promise<number> {
  const close = await openBridge(socket);
  const child = Bun.spawn([...command], { stdio: ["inherit", "inherit", "inherit"] });
  await child.exited;
  close();
  const signals = new Map<unknown, number>(Object.entries(constants.signals));
  return child.exitCode ?? 128 + (signals.get(child.signalCode) ?? 0);
}

import { PROXY_SOCKET } from "../sandbox/network/proxy-socket.ts";
import { HostChannel } from "./process/host-channel.ts";
import { RequestRunner } from "./process/request-runner.ts";

/**
 * Serves the requests of the agent that started this process until that agent is gone; then it kills this process and all
 * that it started. Rejects with `NoHostChannelError` if no agent started this process.
 */
export async function runToolHostProcess(): Promise<void> {
  const socket = process.env[PROXY_SOCKET];
  if (socket !== undefined && (await bridge(socket)) === "done") return;
  // So that a stack still reaches agent.mdx when a library fails deep inside.
  Error.stackTraceLimit = 100;
  const channel = new HostChannel();
  const runner = new RequestRunner(channel);
  process.on("unhandledRejection", (reason) => runner.failUnhandled(reason));
  process.on("uncaughtException", (error) => runner.failUnhandled(error));
  channel.onExit((error) => runner.failUnhandled(error));
  channel.listen((request) => runner.take(request));
  await new Promise<never>(() => {});
}

/**
 * Opens the bridge to the hosts that a contained process may reach. If this process was started for a shell command, it runs
 * the command beside the bridge, and is done.
 */
async function bridge(socket: string): Promise<"open" | "done"> {
  const { commandBesideBridge, openBridge, runBesideBridge } = await import("../sandbox/network/bridge.ts");
  const command = commandBesideBridge(process.argv);
  if (command === undefined) {
    await openBridge(socket);
    return "open";
  }
  process.exitCode = await runBesideBridge(socket, command);
  return "done";
}

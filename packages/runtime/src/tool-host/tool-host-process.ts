import { PROXY_SOCKET } from "../sandbox/network/proxy-socket.ts";
import { HostChannel } from "./process/host-channel.ts";
import { RequestRunner } from "./process/request-runner.ts";

/**
 * What a tool host process does: works off the requests of the process that started it, until that one goes away;
 * then it ends itself and all that it started, whatever else is running. Throws when there is no such process.
 */
export async function runToolHostProcess(): Promise<void> {
  const socket = process.env[PROXY_SOCKET];
  if (socket !== undefined && (await bridge(socket)) === "done") return;
  // So that the place in agent.mdx is still in sight when a library fails deep inside.
  Error.stackTraceLimit = 100;
  const channel = new HostChannel();
  const runner = new RequestRunner(channel);
  process.on("unhandledRejection", (reason) => runner.failInTheAir(reason));
  process.on("uncaughtException", (error) => runner.failInTheAir(error));
  channel.onExit((error) => runner.failInTheAir(error));
  channel.listen((request) => runner.take(request));
  await new Promise<never>(() => {});
}

/**
 * Where the process is contained, it needs a bridge to what it may reach. Where it is there for nothing else, it runs the
 * command that is to have one, and is done.
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

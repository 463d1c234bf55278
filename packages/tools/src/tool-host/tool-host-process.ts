import { killGroup } from "@mdx-ai/mcp/reaper";
import { bridgeTask } from "@mdx-ai/sandbox";
import { isHostRequest } from "./host-messages.ts";
import { MessageChannel, TOOL_CHANNEL } from "./message-channel.ts";
import { RequestRunner } from "./process/request-runner.ts";

/** The process was not started as a tool host. */
class NoHostChannelError extends Error {
  override readonly name = "NoHostChannelError";
  constructor() {
    super("a tool host process is started by an agent, not by hand");
  }
}

/** A tool called for the end of its process; the process ends after its request is answered. */
class ToolExitError extends Error {
  override readonly name = "ToolExitError";
}

/**
 * Serves the requests of the agent that started this process until that agent is gone, then kills this process and everything
 * that it started. With the argument `--bridge`, connects a sandbox to its proxy instead. Rejects with `NoHostChannelError` if no
 * agent started this process.
 */
export async function runToolHostProcess(): Promise<void> {
  const task = bridgeTask(process.argv);
  if (task !== undefined) {
    const { runBridge } = await import("@mdx-ai/sandbox/bridge");
    return runBridge(task);
  }
  const descriptor = Number(process.env[TOOL_CHANNEL]);
  if (!Number.isInteger(descriptor)) throw new NoHostChannelError();
  delete process.env[TOOL_CHANNEL];
  // Keeps agent.mdx in the stack when a library fails deep inside.
  Error.stackTraceLimit = 100;
  // No other code of this process has a reference to the channel.
  const runner = new RequestRunner((reply) => channel.send(reply));
  const channel = new MessageChannel({
    descriptor,
    keepsAlive: true,
    onMessage: (message) => {
      if (isHostRequest(message)) runner.take(message);
    },
    onEnd: () => {
      // Not process.exit: exit handlers of a tool must not run.
      killGroup(process.pid);
      // In a sandbox this process is not a group leader.
      process.kill(process.pid, "SIGKILL");
    },
  });
  process.on("unhandledRejection", (reason) => runner.failUnhandled(reason));
  process.on("uncaughtException", (error) => runner.failUnhandled(error));
  // Turns a tool's exit into an error with a position.
  process.exit = (code) => {
    const error = new ToolExitError(`process.exit(${code ?? ""}) was called`);
    runner.failUnhandled(error);
    throw error;
  };
  await new Promise<never>(() => {});
}

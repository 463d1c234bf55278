import { killGroup } from "../../sandbox/reaper.ts";
import { type HostReply, type HostRequest, isHostRequest } from "../host-messages.ts";
import { MessageChannel, TOOL_CHANNEL } from "../message-channel.ts";

/** The process was not started as a tool host. */
class NoHostChannelError extends Error {
  override readonly name = "NoHostChannelError";
  constructor() {
    super("a tool host process is started by an agent, not by hand");
  }
}

/** A tool asked for the end of its process; the process ends, but its request is answered first. */
export class ToolExitError extends Error {
  override readonly name = "ToolExitError";
}

/** The channel to the agent that started this process. No other code of this process has a reference to it. */
export class HostChannel {
  readonly #channel: MessageChannel;
  #onRequest: ((request: HostRequest) => void) | undefined;

  /** Throws `NoHostChannelError` if no agent started this process. */
  constructor() {
    const descriptor = Number(process.env[TOOL_CHANNEL]);
    if (!Number.isInteger(descriptor)) throw new NoHostChannelError();
    delete process.env[TOOL_CHANNEL];
    this.#channel = new MessageChannel({
      descriptor,
      keepsAlive: true,
      onMessage: (message) => {
        if (isHostRequest(message)) this.#onRequest?.(message);
      },
      onEnd: () => {
        // Not process.exit: nobody waits for exit handlers that a tool may have registered.
        killGroup(process.pid);
        // In a sandbox this process leads no group.
        process.kill(process.pid, "SIGKILL");
      },
    });
  }

  send(reply: HostReply): void {
    this.#channel.send(reply);
  }

  listen(onRequest: (request: HostRequest) => void): void {
    this.#onRequest = onRequest;
  }

  /** Makes an exit that a tool asks for an error with a position. */
  onExit(report: (error: ToolExitError) => void): void {
    process.exit = (code) => {
      const error = new ToolExitError(`process.exit(${code ?? ""}) was called`);
      report(error);
      throw error;
    };
  }

  /** Whether unhandled errors are still seen: a tool may have removed the listeners. */
  get whole(): boolean {
    return ["unhandledRejection", "uncaughtException"].every((event) => process.listenerCount(event) > 0);
  }
}

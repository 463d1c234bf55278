import { killGroup } from "../../tools/process-group.ts";
import { type HostReply, type HostRequest, isHostRequest } from "../host-messages.ts";

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

/** The channel to the process that started this one. Once it is open, no other code of this process finds it. */
export class HostChannel {
  readonly #send: (reply: HostReply) => void;

  /** Throws `NoHostChannelError` where there is no channel. */
  constructor() {
    if (!process.send) throw new NoHostChannelError();
    const send = process.send.bind(process);
    this.#send = (reply) => void send(reply);
    // Not deleted: that would make Bun build all of `process`, which takes longer than all the rest of the start.
    for (const name of ["send", "disconnect", "channel"]) Reflect.set(process, name, undefined);
  }

  send(reply: HostReply): void {
    this.#send(reply);
  }

  listen(onRequest: (request: HostRequest) => void): void {
    process.on("message", (message: unknown) => {
      if (isHostRequest(message)) onRequest(message);
    });
    process.on("disconnect", () => {
      // Not an exit: nobody is there to wait for handlers that a tool may have left.
      killGroup(process.pid);
      // In a sandbox it leads no group of its own.
      process.kill(process.pid, "SIGKILL");
    });
  }

  /** Makes the end of this process, where a tool asks for it, an error with a place. */
  onExit(report: (error: ToolExitError) => void): void {
    process.exit = (code) => {
      const error = new ToolExitError(`process.exit(${code ?? ""}) was called`);
      report(error);
      throw error;
    };
  }

  /** Whether requests still arrive here and errors in the air are still seen: a tool may have removed the listeners. */
  get whole(): boolean {
    return ["message", "disconnect", "unhandledRejection", "uncaughtException"].every(
      (event) => process.listenerCount(event) > 0,
    );
  }
}

import type { ToolContext } from "../types/tool.ts";

/** Lines that one call may write to the log. */
const LINE_LIMIT = 1_000;

/** Passes the lines that a call logs to the agent's log, up to a limit. */
export class CallLog {
  readonly #log: ToolContext["log"];
  #lines = 0;

  constructor(log: ToolContext["log"]) {
    this.#log = log;
  }

  write(line: string): void {
    this.#lines += 1;
    if (this.#lines <= LINE_LIMIT) void this.#log(line);
    else if (this.#lines === LINE_LIMIT + 1) void this.#log(`[more than ${LINE_LIMIT} lines: the rest is dropped]`);
  }
}

import { type BoundedResult, withDroppedNotice } from "../tools/tool-result.ts";
import type { ToolContext } from "../types/tool.ts";

/** Lines that one call may write to the log. */
const LINE_LIMIT = 1_000;

/** Passes on what a call tells while it runs: parts of its result, and lines for the agent's log, up to a limit. */
export class CallReport {
  readonly #context: Pick<ToolContext, "log" | "update">;
  #lines = 0;

  constructor(context: Pick<ToolContext, "log" | "update">) {
    this.#context = context;
  }

  log(line: string): void {
    this.#lines += 1;
    if (this.#lines <= LINE_LIMIT) void this.#context.log(line);
    else if (this.#lines === LINE_LIMIT + 1) {
      void this.#context.log(`[more than ${LINE_LIMIT} lines: the rest is dropped]`);
    }
  }

  update(partial: BoundedResult): void {
    this.#context.update(withDroppedNotice(partial));
  }
}

import { type BoundedResult, headOf } from "../tools/tool-result.ts";
import type { ToolContext } from "../types/tool.ts";

/** Lines that one call may write to the log, and characters kept of a line. */
const LINES = 1_000;
const LINE_LENGTH = 2_000;

/** Characters of an unfinished line that are waited with: a word that the cut would split is left out. */
const UNFINISHED_LENGTH = 2 * LINE_LENGTH + 100;

/** Receives what a call reports while it runs: lines for the agent's log, and partial results. */
export interface CallReport {
  log(line: string): void;
  update(partial: BoundedResult): void;
}

/** Passes on what a call reports: of the lines 1,000 at most. */
export function callReport(context: Pick<ToolContext, "log" | "update">): CallReport {
  let lines = 0;
  return {
    log: (line) => {
      lines += 1;
      if (lines <= LINES) void context.log(line);
      else if (lines === LINES + 1) void context.log(`[more than ${LINES} lines: the rest is dropped]`);
    },
    update: (partial) => context.update(partial),
  };
}

/** Reads an output to its end and passes on its lines, each cut to 2,000 characters. Never rejects, never falls behind. */
export async function outputLines(output: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let unfinished = "";
  try {
    for await (const bytes of output) {
      const lines = (unfinished + decoder.decode(bytes, { stream: true })).split("\n");
      unfinished = (lines.pop() ?? "").slice(0, UNFINISHED_LENGTH);
      for (const line of lines) onLine(headOf(line, LINE_LENGTH));
    }
  } catch {
    // The process was killed while it wrote.
  }
  if (unfinished !== "") onLine(headOf(unfinished, LINE_LENGTH));
}

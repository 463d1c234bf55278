import { afterTimers } from "@mdx-ai/base";
import { type BoundedResult, headOf, type ToolContext } from "@mdx-ai/loop";
import { LOG_LENGTH, UPDATE_MILLISECONDS } from "./host-messages.ts";

/** The most log lines of one call, and characters of a line of its outputs. */
const LINES = 1_000;
const LINE_LENGTH = 2_000;

/** The length of an unfinished line that is buffered; a word at the cut is left out. */
const UNFINISHED_LENGTH = 2 * LINE_LENGTH + 100;

/** Receives the reports of a running call: log lines and partial results. */
export interface CallReport {
  log(line: string): void;
  update(partial: BoundedResult): void;
}

/**
 * Forwards the reports of a call: at most 1,000 lines, and partial results at the rate of one every 50 milliseconds. Only a tool
 * that writes to the channel directly sends more.
 */
export function callReport(context: Pick<ToolContext, "log" | "update">): CallReport {
  const start = performance.now();
  let lines = 0;
  let updates = 0;
  return {
    log: (line) => {
      lines += 1;
      if (lines <= LINES) void context.log(headOf(line, LOG_LENGTH));
      else if (lines === LINES + 1) void context.log(`[more than ${LINES} lines: the rest is dropped]`);
    },
    update: (partial) => {
      // Twice as many, so that no result is dropped if the process's clock differs slightly.
      if (updates > 1 + (2 * (performance.now() - start)) / UPDATE_MILLISECONDS) return;
      updates += 1;
      context.update(partial);
    },
  };
}

interface OutputReader {
  /** `value` is absent at the end. */
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
}

/**
 * Reads an output until it ends or its reader is cancelled, and forwards its lines, each cut to 2,000 characters. Never rejects,
 * never falls behind.
 */
export async function outputLines(reader: OutputReader, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let unfinished = "";
  try {
    for (let { value } = await reader.read(); value; { value } = await reader.read()) {
      const lines = (unfinished + decoder.decode(value, { stream: true })).split("\n");
      unfinished = (lines.pop() ?? "").slice(0, UNFINISHED_LENGTH);
      for (const line of lines) onLine(headOf(line, LINE_LENGTH));
      // A flood of output would block the timers and signals that end it.
      await afterTimers();
    }
  } catch {
    // The process was killed while it wrote.
  }
  if (unfinished !== "") onLine(headOf(unfinished, LINE_LENGTH));
}

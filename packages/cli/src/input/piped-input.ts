import { fstatSync } from "node:fs";
import { UsageError } from "../failures/program-error.ts";

/** More than a model could read; it keeps an endless stream from filling the memory. */
const MAX_BYTES = 16 * 2 ** 20;

/** What standard input is, as far as it can be known. */
export type StandardInput = "none" | "file" | "pipe" | "socket";

/**
 * What standard input is. A terminal, /dev/null and a closed input are "none". A pipe is what a shell makes for
 * `|`; a socket is what many programs leave open for a child without ever writing to it.
 */
export function standardInput(): StandardInput {
  try {
    const stats = fstatSync(0);
    if (stats.isFile()) return "file";
    if (stats.isFIFO()) return "pipe";
    return stats.isSocket() ? "socket" : "none";
  } catch {
    return "none";
  }
}

export interface ReadInputOptions {
  /** Called once when nothing has come for a while. */
  onWait(): void;
  /** Whether to continue without input when nothing has arrived for a while. */
  readonly mayLeave: boolean;
  readonly signal: AbortSignal;
}

const WAIT_MILLISECONDS = 3000;

/** All of standard input as text, without a byte-order mark. Rejects with `UsageError` beyond 16 MiB. */
export async function readStandardInput({ onWait, mayLeave, signal }: ReadInputOptions): Promise<string> {
  const reader = Bun.stdin.stream().getReader();
  const leaving = Promise.withResolvers<{ readonly done: true; readonly value?: undefined }>();
  const leave = (): void => leaving.resolve({ done: true });
  signal.addEventListener("abort", leave, { once: true });
  const timer = setTimeout(() => {
    onWait();
    if (mayLeave) leave();
  }, WAIT_MILLISECONDS);
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await Promise.race([reader.read(), leaving.promise]);
    clearTimeout(timer);
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > MAX_BYTES)
      throw new UsageError("more than 16 MiB came on standard input; give the agent a file to read");
    text += decoder.decode(value, { stream: true });
  }
}

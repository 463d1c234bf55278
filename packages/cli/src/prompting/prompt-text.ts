import { fstatSync } from "node:fs";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";

/**
 * Reads the prompt: `-` means standard input; piped input is appended to any other text. Rejects with `UsageError` if both are empty.
 * Resolves to what has arrived when `signal` fires.
 */
export async function promptText(given: string, context: CommandContext, signal: AbortSignal): Promise<string> {
  const text = given === "-" ? await readAll(context, signal) : join(given, await readPiped(context, signal));
  if (text.trim() !== "" || signal.aborted) return text;
  throw new UsageError("the prompt is empty; give a text with --prompt TEXT, or pipe one in with --prompt -");
}

function readAll(context: CommandContext, signal: AbortSignal): Promise<string> {
  const onWait = (): void => context.stderr.write("mdx-ai: waiting for the prompt on standard input\n");
  return readStandardInput({ onWait, mayLeave: false, signal });
}

/** Reads piped input. A silent socket is skipped, since it is rarely meant as input; a pipe is read to its end. */
async function readPiped(context: CommandContext, signal: AbortSignal): Promise<string> {
  const input = standardInput();
  if (input === "none") return "";
  const mayLeave = input === "socket";
  const onWait = (): void => {
    const next = mayLeave ? "continuing without it" : "waiting for its end";
    context.stderr.write(
      `mdx-ai: no data on standard input yet, ${next}; to skip the wait, redirect it from /dev/null\n`,
    );
  };
  return readStandardInput({ onWait, mayLeave, signal });
}

function join(text: string, piped: string): string {
  if (piped.trim() === "") return text;
  return text.trim() === "" ? piped : `${text}\n\n${piped}`;
}

/** More than any model reads; stops an endless stream from filling the memory. */
const MAX_BYTES = 16 * 2 ** 20;

/** The kind of standard input, as far as it can be detected. */
type StandardInput = "none" | "file" | "pipe" | "socket";

/**
 * Detects the kind of standard input. A terminal, /dev/null and a closed input are "none". Shells create a pipe for `|`; many programs give
 * a child a socket that they never write to.
 */
function standardInput(): StandardInput {
  try {
    const stats = fstatSync(0);
    if (stats.isFile()) return "file";
    if (stats.isFIFO()) return "pipe";
    return stats.isSocket() ? "socket" : "none";
  } catch {
    return "none";
  }
}

interface ReadInputOptions {
  /** Called once if no data arrives for a while. */
  onWait(): void;
  /** Whether to stop waiting if no data arrives for a while. */
  readonly mayLeave: boolean;
  readonly signal: AbortSignal;
}

const WAIT_MILLISECONDS = 3000;

/** Reads all of standard input as text, without a byte order mark. Rejects with `UsageError` above 16 MiB. */
async function readStandardInput({ onWait, mayLeave, signal }: ReadInputOptions): Promise<string> {
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
    if (size > MAX_BYTES) throw new UsageError("standard input is longer than 16 MiB; give the agent a file to read");
    text += decoder.decode(value, { stream: true });
  }
}

import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";
import { readStandardInput, standardInput } from "./piped-input.ts";

/**
 * The prompt: `-` means standard input; any other text is followed by what is piped in. Rejects with `UsageError` if both are
 * empty. When `signal` fires, resolves to what has arrived.
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

/** What is piped in. A socket that stays silent was hardly meant as input; a pipe is waited for to its end. */
async function readPiped(context: CommandContext, signal: AbortSignal): Promise<string> {
  const input = standardInput();
  if (input === "none") return "";
  const mayLeave = input === "socket";
  const onWait = (): void => {
    const next = mayLeave ? "continuing without it" : "waiting for its end";
    context.stderr.write(
      `mdx-ai: standard input is open and silent, ${next}; close it with </dev/null if it is not meant\n`,
    );
  };
  return readStandardInput({ onWait, mayLeave, signal });
}

function join(text: string, piped: string): string {
  if (piped.trim() === "") return text;
  return text.trim() === "" ? piped : `${text}\n\n${piped}`;
}

import { plainLine, plainText } from "../plain-text.ts";
import { expectedExitCode } from "./exit-code.ts";

/** A failure for standard error: one line, with the stack below where `debug` asks for it. Ends with a newline. */
export function describeFailure(error: unknown, debug: boolean): string {
  const message = plainLine(error instanceof Error ? error.message || error.name : String(error));
  if (debug) return `mdx-ai: ${message}\n${plainText(stackOf(error))}\n`;
  if (expectedExitCode(error) !== undefined) return `mdx-ai: ${message}\n`;
  return `mdx-ai: unexpected failure: ${message} (add --debug for the stack trace)\n`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${stackOf(error.cause)}`;
}

import { plainLine, plainText } from "@mdx-ai/directory/text";

/** How a failure is described: with its stack, or as expected, or as a fault of the program. */
export type FailureStyle = "debug" | "expected" | "unexpected";

/** A failure for standard error: one line, with the stack below where the style asks for it. Ends with a newline. */
export function describeFailure(error: unknown, style: FailureStyle): string {
  const message = plainLine(error instanceof Error ? error.message || error.name : String(error));
  switch (style) {
    case "debug":
      return `mdx-ai: ${message}\n${plainText(stackOf(error))}\n`;
    case "expected":
      return `mdx-ai: ${message}\n`;
    case "unexpected":
      return `mdx-ai: unexpected failure: ${message} (add --debug for the stack trace)\n`;
  }
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${stackOf(error.cause)}`;
}

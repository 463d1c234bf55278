import { shortened, visibleLine } from "@mdx-ai/parser/visible-text";
import { McpError } from "../mcp-error.ts";

const LENGTH = 500;

/** What an error says, on one line of visible text. */
export function errorReason(error: unknown): string {
  const message = error instanceof Error ? messageOf(error) : String(error);
  const line = visibleLine(message);
  return line === "" ? "it failed without a reason" : shortened(line, LENGTH);
}

/** Errors of networks say what happened in their cause. */
function messageOf(error: Error): string {
  const { cause, message } = error;
  // Ours say it already.
  if (error instanceof McpError) return message;
  return cause instanceof Error && !message.includes(cause.message) ? `${message} (${cause.message})` : message;
}

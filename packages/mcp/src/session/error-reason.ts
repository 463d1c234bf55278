import { shortened, visibleLine } from "@mdx-ai/parser/visible-text";
import { McpError } from "../mcp-error.ts";

const LENGTH = 500;

/** What an error says, on one line of visible text. */
export function errorReason(error: unknown): string {
  const message = error instanceof Error ? messageOf(error) : String(error);
  const line = visibleLine(message);
  return line === "" ? "it failed without a reason" : shortened(line, LENGTH);
}

/** Codes of a connection that was never made. Their messages ask about computers and urls, or name calls of the system. */
const UNCONNECTED: readonly unknown[] = [
  "ConnectionRefused",
  "FailedToOpenSocket",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
];

/** Errors of networks say what happened in their cause. */
function messageOf(error: Error): string {
  const { cause } = error;
  // Ours say it already.
  if (error instanceof McpError) return error.message;
  const unconnected = [cause, error].map(codeOf).find((code) => UNCONNECTED.includes(code));
  if (unconnected !== undefined) return `cannot connect to the server (${unconnected})`;
  // What was asked first is of no use to the user.
  const message = error.message.replace(/^Version negotiation (?:probe )?failed: /, "");
  return cause instanceof Error && !message.includes(cause.message) ? `${message} (${cause.message})` : message;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

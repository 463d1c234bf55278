import { isRecord, isText, shortened, visibleLine } from "@mdx-ai/base";
import { McpError } from "../mcp-error.ts";
import { UnreachableError } from "../transports/unreachable.ts";

const LENGTH = 500;

/** The message of an error, as one line of visible text. */
export function errorReason(error: unknown): string {
  const message = error instanceof Error ? messageOf(error) : String(error);
  const line = visibleLine(message);
  return line === "" ? "it failed without a reason" : shortened(line, LENGTH);
}

/** Network errors have the details in their cause. */
function messageOf(error: Error): string {
  const { cause } = error;
  // These already include the cause.
  if (error instanceof McpError || error instanceof UnreachableError) return error.message;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusal;
  // The attempted protocol version does not help the user.
  const message = error.message.replace(/^Version negotiation (?:probe )?failed: /, "");
  return cause instanceof Error && !message.includes(cause.message) ? `${message} (${cause.message})` : message;
}

/** The message of a server that refused an HTTP request. */
function refusalOf(error: Error): string | undefined {
  const data = "data" in error && isRecord(error.data) ? error.data : {};
  const { status, statusText, text } = data;
  if (typeof status !== "number" || status < 400) return undefined;
  const words = typeof text === "string" ? wordsOf(text) : "";
  const name = isText(statusText) && statusText !== "" ? ` ${statusText}` : "";
  return `the server answered ${status}${name}${words === "" ? "" : `: ${words}`}`;
}

/** Characters of a page that are read. */
const MAX_PAGE = 4_000;

/** The text of a body: the message of JSON, or HTML without tags. */
function wordsOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const problem = isRecord(body) && isRecord(body["error"]) ? body["error"] : body;
    const { message, error_description: description, detail, error } = isRecord(problem) ? problem : {};
    return [message, description, detail, error].find(isText) ?? text;
  } catch {
    return text.slice(0, MAX_PAGE).replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/gi, " ");
  }
}

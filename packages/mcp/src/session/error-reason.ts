import { isRecord, isText, shortened, visibleLine } from "@mdx-ai/base";
import { McpError } from "../mcp-error.ts";
import { UnreachableError } from "../transports/unreachable.ts";

const LENGTH = 500;

/** What an error says, on one line of visible text. */
export function errorReason(error: unknown): string {
  const message = error instanceof Error ? messageOf(error) : String(error);
  const line = visibleLine(message);
  return line === "" ? "it failed without a reason" : shortened(line, LENGTH);
}

/** Errors of networks say what happened in their cause. */
function messageOf(error: Error): string {
  const { cause } = error;
  // Ours say it already.
  if (error instanceof McpError || error instanceof UnreachableError) return error.message;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusal;
  // What was asked first is of no use to the user.
  const message = error.message.replace(/^Version negotiation (?:probe )?failed: /, "");
  return cause instanceof Error && !message.includes(cause.message) ? `${message} (${cause.message})` : message;
}

/** What a server said that refused a request over HTTP. */
function refusalOf(error: Error): string | undefined {
  const data = "data" in error && isRecord(error.data) ? error.data : {};
  const { status, statusText, text } = data;
  if (typeof status !== "number" || status < 400) return undefined;
  const words = typeof text === "string" ? wordsOf(text) : "";
  const name = isText(statusText) && statusText !== "" ? ` ${statusText}` : "";
  return `the server answered ${status}${name}${words === "" ? "" : `: ${words}`}`;
}

/** Characters of a page that are looked at. */
const MAX_PAGE = 4_000;

/** The words in a body: the message of one that is JSON, or a page without its marks. */
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

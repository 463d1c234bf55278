import { isRecord } from "../record.ts";
import { headOf } from "./text-limit.ts";

const LIMIT = 8_000;

/** Errors of the language, whose messages are clearer with their name before them. */
const NAMED: ReadonlySet<string> = new Set(
  "TypeError RangeError ReferenceError SyntaxError URIError EvalError AggregateError".split(" "),
);

/** What a throw says, whatever was thrown: at most 8,000 characters. Never throws, whatever its getters do. */
export function errorText(error: unknown): string {
  try {
    return headOf(error instanceof Error ? messageOf(error) : textOf(error), LIMIT);
  } catch {
    return "an error that cannot be shown";
  }
}

function messageOf(error: Error): string {
  const message = String(error.message);
  if (message === "") return String(error.name);
  return NAMED.has(error.name) ? `${error.name}: ${message}` : message;
}

/** What was thrown without being an error. */
function textOf(thrown: unknown): string {
  if (typeof thrown === "string" && thrown !== "") return thrown;
  if (isRecord(thrown) && typeof thrown["message"] === "string") return thrown["message"];
  return `${Bun.inspect(thrown, { depth: 2 })} was thrown`;
}

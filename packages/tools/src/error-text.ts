import { attempt, isRecord } from "@mdx-ai/base";
import { headOf } from "@mdx-ai/loop";

/** The most characters of an error's text. */
const ERROR_LIMIT = 8_000;

/** Built-in errors, whose messages are clearer after their name. */
const NAMED: ReadonlySet<string> = new Set(
  "TypeError RangeError ReferenceError SyntaxError URIError EvalError AggregateError".split(" "),
);

/** The message of any thrown value, at most 8,000 characters. Never throws, even if its getters do. */
export function errorText(error: unknown): string {
  const text = attempt(() => headOf(error instanceof Error ? messageOf(error) : textOf(error), ERROR_LIMIT));
  return text ?? "an error that cannot be shown";
}

function messageOf(error: Error): string {
  const message = String(error.message);
  if (message === "") return String(error.name);
  return NAMED.has(error.name) ? `${error.name}: ${message}` : message;
}

function textOf(thrown: unknown): string {
  if (typeof thrown === "string" && thrown !== "") return thrown;
  if (isRecord(thrown) && typeof thrown["message"] === "string") return thrown["message"];
  return `${Bun.inspect(thrown, { depth: 2 })} was thrown`;
}

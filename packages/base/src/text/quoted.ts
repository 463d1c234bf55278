import { shortened } from "./visible-text.ts";

const MAX_QUOTE = 60;

/** An author's text for a message: on one line, shortened, in backticks; "empty text" if there is nothing to show. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return "empty text";
  return `\`${shortened(line, MAX_QUOTE)}\``;
}

/** A YAML or JSON value for a message. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : quoted(String(value));
}

import { attempt } from "../errors/attempt.ts";

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * Any value as one line for people. An error gives its message; line breaks and control characters become escapes such as `\n`
 * and `\u001b`. Never throws.
 */
export function lineText(value: unknown): string {
  const text = attempt(() => (value instanceof Error ? value.message || value.name : String(value)));
  return (text ?? "a value that cannot be shown as text").replace(UNPRINTABLE, escaped);
}

const escaped = (character: string): string => SHORT.get(character) ?? unicodeEscape(character);

/** A text on one line: every run of white space becomes a blank. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The escape of a character in JSON, such as `\u001b`. */
export const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

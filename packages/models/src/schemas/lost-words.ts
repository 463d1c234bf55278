import type { JsonObject, JsonValue } from "@mdx-ai/base";

/** Characters of a value or list that a description repeats. */
const MAX_LENGTH = 200;

type Words = (value: JsonValue) => string;

const counted = (limit: string, unit: string): readonly [string, Words][] => [
  [`${limit}Length`, (count) => `${unit} ${count} characters.`],
  [`${limit}Items`, (count) => `${unit} ${count} items.`],
];

/** The description of keywords that are not sent, in order. */
const lost: readonly (readonly [string, Words])[] = [
  ["const", (value) => `Always ${JSON.stringify(value)}.`],
  [
    "enum",
    (values) =>
      `One of: ${[values]
        .flat()
        .map((value) => JSON.stringify(value))
        .join(", ")}.`,
  ],
  ["default", (value) => (value === null ? "" : `Default: ${JSON.stringify(value)}.`)],
  ["format", (value) => `Format: ${value}.`],
  ["pattern", (value) => `Pattern: ${value}`],
  ["minimum", (value) => `At least ${value}.`],
  ["maximum", (value) => `At most ${value}.`],
  ["exclusiveMinimum", (value) => `More than ${value}.`],
  ["exclusiveMaximum", (value) => `Less than ${value}.`],
  ["multipleOf", (value) => `A multiple of ${value}.`],
  ...counted("min", "At least"),
  ...counted("max", "At most"),
];

/** Extends a description with the keywords that are not sent. */
export function described(description: JsonValue | undefined, schema: JsonObject, sent: JsonObject): string {
  const words = lost.flatMap(([keyword, wordsOf]) => {
    const value = schema[keyword];
    if (value === undefined || value === "" || sent[keyword] !== undefined) return [];
    // A constant is sent as a list with one value.
    if (keyword === "const" && sent["enum"] !== undefined) return [];
    const said = wordsOf(value);
    return said === "" || said.length > MAX_LENGTH ? [] : [said];
  });
  const start = typeof description === "string" ? description.trim() : "";
  return [start === "" || /[.!?:)]$/.test(start) || words.length === 0 ? start : `${start}.`, ...words]
    .filter(Boolean)
    .join(" ");
}

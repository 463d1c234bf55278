import type { JsonSchema } from "@mdx-ai/base";

/** A map of further settings, and no others. */
export const mapOf = (
  title: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema => ({ title, description, type: "object", additionalProperties: false, properties });

/** One of some words; the title lists them. */
export const wordOf = (description: string, words: readonly string[]): JsonSchema => ({
  title: listed(words.map((word) => `\`${word}\``)),
  description,
  type: "string",
  enum: words,
  examples: words,
});

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** A text that is not blank. */
export const textOf = (title: string, description: string): JsonSchema => ({
  title,
  description,
  type: "string",
  minLength: 1,
  pattern: "\\S",
});

/** A list; `item` is what each element is, in words. */
export const listOf = (title: string, description: string, item: string): JsonSchema => ({
  title,
  description,
  type: "array",
  items: { title: item, type: "string", minLength: 1 },
});

/** True or false. */
export const truthOf = (description: string): JsonSchema => ({
  title: "`true` or `false`",
  description,
  type: "boolean",
});

/** A number above 0, up to `maximum` if there is one. */
export const positive = (title: string, description: string, maximum?: number): JsonSchema => ({
  title,
  description,
  type: "number",
  exclusiveMinimum: 0,
  ...(maximum !== undefined && { maximum }),
});

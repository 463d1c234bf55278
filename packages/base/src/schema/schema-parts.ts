import type { JsonSchema } from "../json/json.ts";
import type { Schema } from "./schema.ts";

/** A map with these settings and no others. */
export const mapOf = <T>(
  title: string,
  description: string,
  properties: Readonly<Record<string, Schema>>,
): Schema<T> => ({ title, description, type: "object", additionalProperties: false, properties });

/** One of some words; the title lists them. */
export const wordOf = (description: string, words: readonly string[]): Schema => ({
  title: listed(words.map((word) => `\`${word}\``)),
  description,
  type: "string",
  enum: words,
  examples: words,
});

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** A text that is not blank. */
export const textOf = (title: string, description: string): Schema => ({
  title,
  description,
  type: "string",
  minLength: 1,
  pattern: "\\S",
});

/** A list of texts; `item` adds requirements for each of them. */
export const listOf = (title: string, description: string, item: Schema): Schema => ({
  title,
  description,
  type: "array",
  items: { type: "string", minLength: 1, ...item },
});

/** True or false. */
export const truthOf = (description: string): Schema => ({
  title: "`true` or `false`",
  description,
  type: "boolean",
});

/** A number above 0, up to `maximum` if there is one. */
export const positive = (title: string, description: string, maximum?: number): Schema => ({
  title,
  description,
  type: "number",
  exclusiveMinimum: 0,
  ...(maximum !== undefined && { maximum }),
});

/** A whole number of at least `minimum`. */
export const whole = (description: string, minimum = 1): Schema => ({
  title: minimum === 1 ? "a whole number above 0" : `a whole number of at least ${minimum}`,
  description,
  type: "integer",
  minimum,
});

/** The schema as JSON, for editors, without the parts that JSON Schema cannot express. */
export const jsonSchemaOf = (schema: Schema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (CHECKS.has(key) && value === true ? undefined : value)));

/** Functions are not JSON. */
const CHECKS: ReadonlySet<string> = new Set(["isWhole", "isLenient", "isSecret"]);

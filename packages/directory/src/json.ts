import type { JsonSchema, JsonValue } from "@mdx-ai/parser";

/** The same plain data with the names of all its objects sorted. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

/** JSON with sorted names: equal data gives equal text. */
export const sortedJson = (value: unknown): string => JSON.stringify(sorted(value));

/** The SHA-256 of a text (as UTF-8) or of bytes, in hexadecimal digits. */
export const sha256 = (content: string | Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(content).digest("hex");

export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** Whether it is an object, such as a schema. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** An object of unknown content: what JSON or a stream gives before it is narrowed. */
export type UnknownRecord = { readonly [key: string]: unknown };

/** Whether a value is an object, and neither null nor an array. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function recordOf(value: unknown): UnknownRecord {
  return isRecord(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Levels of objects and lists within each other; deeper values overflow the stack of code that walks through them. */
const mostLevels = 200;

/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a text that should be a JSON object; `undefined` if it is anything else. Never throws. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = jsonValue(text);
  return isJsonObject(value) ? value : undefined;
}

/**
 * Whether a value that came out of JSON is an object that can be written as JSON again: 200 levels deep at most, and
 * without numbers that are too large to be kept, such as 1e999.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value) && isKept(value, mostLevels);
}

function isKept(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isKept(item, levels - 1));
}

/** `JSON.stringify` escapes halves of surrogate pairs, and of all `\ud…` that it writes only those; a `\\` before is text. */
const halfPair = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON without halves of surrogate pairs, which a cut through an emoji leaves and servers refuse. They are
 * rare, so the text is checked first.
 */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  return json.includes("\\ud") ? json.replace(halfPair, "$1\ufffd") : json;
}

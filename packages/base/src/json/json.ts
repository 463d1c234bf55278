export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema 2020-12 of an object, as a model receives it for the parameters of a tool. */
export type JsonSchema = JsonObject;

/** An object of unknown content: what JSON or a stream gives before it is narrowed. */
export type UnknownRecord = { readonly [key: string]: unknown };

/** Whether a value is an object with keys: neither null nor an array. */
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

/** Whether a value is a text. */
export const isText = (value: unknown): value is string => typeof value === "string";

/** Whether a value that came out of JSON is an object, such as a schema. */
export const isJsonObject = (value: unknown): value is JsonObject => isRecord(value);

/** Whether a value that came out of JSON is a list. */
export const isJsonList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

/** Whether a value that came out of JSON is a number of at least 0. */
export const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

/** Whether a value that came out of JSON is absent, or a number of at least 0. */
export const isOptionalAmount = (value: unknown): boolean => value === undefined || isAmount(value);

/** Whether a value is a list whose elements are all accepted. */
export const isList = (value: unknown, accepts: (element: unknown) => boolean): value is readonly unknown[] =>
  Array.isArray(value) && value.every(accepts);

/** The properties that are not undefined, for an object whose properties are absent rather than undefined. */
export function defined<Properties extends object>(
  properties: Properties,
): { [Name in keyof Properties]?: Exclude<Properties[Name], undefined> };
export function defined(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}

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
  return isBoundedJsonObject(value) ? value : undefined;
}

/** Levels of objects and lists within each other; deeper values overflow the stack of code that walks through them. */
const MAX_LEVELS = 200;

/**
 * Whether a value that came out of JSON is an object that can be written as JSON again: 200 levels deep at most, and
 * without numbers that are too large to be kept, such as 1e999.
 */
export function isBoundedJsonObject(value: unknown): value is JsonObject {
  return isRecord(value) && isBounded(value, MAX_LEVELS);
}

function isBounded(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isBounded(item, levels - 1));
}

/** `JSON.stringify` escapes halves of surrogate pairs, and of all `\ud…` that it writes only those; a `\\` before is text. */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON without halves of surrogate pairs, which a cut through an emoji leaves and servers refuse. They are
 * rare, so the text is checked first.
 */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  return json.includes("\\ud") ? json.replace(HALF_PAIR, "$1\ufffd") : json;
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema 2020-12 of an object, as a model receives it for the parameters of a tool. */
export type JsonSchema = JsonObject;

/** An object of unknown content, such as parsed JSON before it is narrowed. */
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

/** Whether a JSON value is an object, such as a schema. */
export const isJsonObject = (value: unknown): value is JsonObject => isRecord(value);

/** Whether a JSON value is a list. */
export const isJsonList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

/** Whether a JSON value is a number of at least 0. */
export const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

/** Whether a JSON value is absent, or a number of at least 0. */
export const isOptionalAmount = (value: unknown): boolean => value === undefined || isAmount(value);

/** Whether a value is a list whose elements are all accepted. */
export const isList = (value: unknown, accepts: (element: unknown) => boolean): value is readonly unknown[] =>
  Array.isArray(value) && value.every(accepts);

/** The properties that are not undefined. */
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

/** Parses a JSON object; undefined for any other text. Never throws. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = jsonValue(text);
  return isBoundedJsonObject(value) ? value : undefined;
}

/** The deepest nesting of objects and lists; deeper values overflow the stack of recursive code. */
const MAX_LEVELS = 200;

/**
 * Whether a JSON value is an object that can be written as JSON again: at most 200 levels deep, and without numbers that
 * overflow, such as 1e999.
 */
export function isBoundedJsonObject(value: unknown): value is JsonObject {
  return isRecord(value) && isBounded(value, MAX_LEVELS);
}

function isBounded(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isBounded(item, levels - 1));
}

/** Matches a lone surrogate in JSON text, the only `\ud…` that `JSON.stringify` escapes; after `\\` it is plain text. */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON without lone surrogates, which cutting an emoji leaves and servers reject. They are rare, so the text is
 * checked first.
 */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  return json.includes("\\ud") ? json.replace(HALF_PAIR, "$1\ufffd") : json;
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema 2020-12 of an object, as a model receives it for the parameters of a tool. */
export type JsonSchema = JsonObject;

/** Whether a value is an object with keys: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

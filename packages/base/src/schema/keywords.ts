import { isRecord } from "../json/json.ts";
import type { Schema } from "./schema.ts";

/** Whether a value satisfies the keywords of a schema that concern the value itself, not its parts. */
export const fitsItself = (value: unknown, schema: Schema): boolean =>
  hasType(value, schema.type) && fitsKind(value, schema) && (schema.accepts?.(value) ?? true);

function hasType(value: unknown, type: Schema["type"]): boolean {
  if (type === undefined) return true;
  const kind = kindOf(value);
  return [type].flat().some((name) => name === kind || (name === "integer" && Number.isInteger(value)));
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function fitsKind(value: unknown, schema: Schema): boolean {
  if (typeof value === "string") return fitsText(value, schema);
  if (typeof value === "number") return fitsNumber(value, schema);
  if (Array.isArray(value)) return fitsList(value, schema);
  return !isRecord(value) || Object.keys(value).length >= (schema.minProperties ?? 0);
}

function fitsText(text: string, { enum: words, pattern, minLength = 0, maxLength }: Schema): boolean {
  return (
    (words === undefined || words.includes(text)) &&
    (pattern === undefined || new RegExp(pattern, "u").test(text)) &&
    text.length >= minLength &&
    (maxLength === undefined || text.length <= maxLength || [...text].length <= maxLength)
  );
}

function fitsNumber(number: number, { minimum, maximum, exclusiveMinimum }: Schema): boolean {
  return (
    Number.isFinite(number) &&
    (minimum === undefined || number >= minimum) &&
    (maximum === undefined || number <= maximum) &&
    (exclusiveMinimum === undefined || number > exclusiveMinimum)
  );
}

function fitsList(
  list: readonly unknown[],
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems }: Schema,
): boolean {
  const isLong = list.length < minItems || list.length > maxItems;
  return !isLong && (uniqueItems !== true || new Set(list).size === list.length);
}

/** The schema of a member of a map: false if the member is not allowed, undefined if it can have any value. */
export function memberSchema(schema: Schema, key: string): Schema | false | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, key)) return properties[key];
  const pattern = Object.keys(patternProperties).find((one) => new RegExp(one, "u").test(key));
  return pattern === undefined ? additionalProperties : patternProperties[pattern];
}

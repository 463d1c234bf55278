import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";
import type { Type } from "./well-formed.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const ofObjects = words("properties required additionalProperties patternProperties minProperties maxProperties");
const ofArrays = words("items prefixItems minItems maxItems uniqueItems");
const ofTexts = words("minLength maxLength pattern format");
const ofNumbers = words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format");

/** Keywords for one type only. */
const keywords: readonly (readonly [Type, ReadonlySet<string>])[] = [
  ["object", ofObjects],
  ["array", ofArrays],
  ["string", ofTexts],
  ["number", ofNumbers],
  ["integer", ofNumbers],
];

/** Whether a keyword applies to any of these types. */
export function speaksOf(keyword: string, types: readonly Type[]): boolean {
  const bound = keywords.filter(([, known]) => known.has(keyword));
  return bound.length === 0 || bound.some(([type]) => types.includes(type));
}

/** The types implied by values or by type-specific keywords. */
export function inferredTypes(schema: JsonObject): readonly Type[] | undefined {
  const { enum: values, const: value } = schema;
  if (value !== undefined) return [typeOf(value)];
  if (Array.isArray(values)) return [...new Set(values.map(typeOf))];
  const shown = ["object", "array", "string", "number"] as const;
  const type = shown.find((one) =>
    Object.keys(schema).some((keyword) => keyword !== "format" && isBound(keyword, one)),
  );
  return type === undefined ? (schema["format"] === undefined ? undefined : ["string"]) : [type];
}

const isBound = (keyword: string, type: Type): boolean =>
  keywords.some(([known, all]) => known === type && all.has(keyword));

function typeOf(value: JsonValue): Type {
  if (value === null) return "null";
  if (isRecord(value)) return "object";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "boolean" : "array";
}

/** Whether a value has a type. */
export const isOfType = (value: JsonValue, type: Type): boolean =>
  typeOf(value) === type || (type === "number" && typeOf(value) === "integer");

/** The part of a schema for one type; undefined if it accepts no value of the type. */
export function ofType(schema: JsonObject, type: Type): JsonObject | undefined {
  const { type: _, enum: values, ...rest } = schema;
  const told = Object.entries(rest).filter(([keyword]) => speaksOf(keyword, [type]));
  if (!Array.isArray(values)) return { type, ...Object.fromEntries(told) };
  const fitting = values.filter((value) => isOfType(value, type));
  return fitting.length === 0 ? undefined : { type, ...Object.fromEntries(told), enum: fitting };
}

import { isJsonList, isRecord, isText, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { isCount } from "./plain-schema.ts";

/** The types of JSON Schema. */
export const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;

export type Type = (typeof TYPES)[number];

const isType = (value: unknown): value is Type => TYPES.some((type) => type === value);

/** The valid types in `type`; undefined if there are none. */
export function typesOf({ type }: JsonObject): readonly Type[] | undefined {
  const types = [type].flat().filter(isType);
  return types.length === 0 ? undefined : types;
}

type Guard = (value: JsonValue) => boolean;

const isFlag: Guard = (value) => typeof value === "boolean";
const isNumber: Guard = (value) => typeof value === "number" && Number.isFinite(value);
const isSchema: Guard = (value) => typeof value === "boolean" || isRecord(value);
const isSchemas: Guard = (value) => isJsonList(value) && value.length > 0;
const isTexts: Guard = (value) => isJsonList(value) && value.every(isText) && new Set(value).size === value.length;

/** Guards of keyword values; other keywords accept any value. */
const guards: ReadonlyMap<string, Guard> = new Map<string, Guard>([
  ...entries("title description format $ref $id $schema $comment $anchor $dynamicRef", isText),
  ...entries("readOnly writeOnly deprecated uniqueItems", isFlag),
  ...entries("minimum maximum exclusiveMinimum exclusiveMaximum", isNumber),
  ...entries("minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains", isCount),
  ...entries("properties patternProperties $defs definitions dependentSchemas dependentRequired", isRecord),
  ...entries("items additionalItems additionalProperties propertyNames contains not if then else", isSchema),
  ...entries("unevaluatedItems unevaluatedProperties", isSchema),
  ...entries("anyOf oneOf allOf prefixItems", isSchemas),
  [
    "type",
    (value) => isType(value) || (isTexts(value) && isJsonList(value) && value.length > 0 && value.every(isType)),
  ],
  ["enum", (value) => isJsonList(value) && value.length > 0],
  ["required", isTexts],
  ["examples", isJsonList],
  ["multipleOf", (value) => isNumber(value) && Number(value) > 0],
  ["pattern", (value) => typeof value === "string" && isExpression(value)],
]);

function entries(keywords: string, guard: Guard): readonly (readonly [string, Guard])[] {
  return keywords.split(" ").map((keyword) => [keyword, guard]);
}

/** Whether a text is a regular expression, in JSON Schema's strict mode or without it. */
function isExpression(pattern: string): boolean {
  return compiles(pattern, "u") || compiles(pattern, "");
}

/** Whether a text is a regular expression with these flags. */
export function compiles(pattern: string, flags: "u" | ""): boolean {
  try {
    return new RegExp(pattern, flags).flags === flags;
  } catch {
    return false;
  }
}

/**
 * Normalizes one level of a schema to JSON Schema 2020-12: a list of `items` becomes `prefixItems`, and keywords with invalid values, such
 * as `required: null`, are dropped. Returns a valid schema unchanged.
 */
export function wellFormed(value: JsonValue | undefined): JsonObject {
  if (!isRecord(value)) return {};
  const isFine = Object.entries(value).every(([keyword, given]) => guards.get(keyword)?.(given) ?? true);
  if (isFine) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([keyword, given]) => repaired(keyword, given, value)));
}

function repaired(keyword: string, given: JsonValue, { additionalItems }: JsonObject): readonly [string, JsonValue][] {
  const isTuple = (name: string): boolean => name === "items" && isJsonList(given);
  if (isTuple(keyword)) {
    const rest: [string, JsonValue][] = additionalItems === undefined ? [] : [["items", additionalItems]];
    return [...(isSchemas(given) ? [["prefixItems", given] satisfies [string, JsonValue]] : []), ...rest];
  }
  if (guards.get(keyword)?.(given) ?? true) return [[keyword, given]];
  const kept = keyword === "type" || keyword === "required" ? keptTexts(keyword, given) : [];
  return kept.length === 0 ? [] : [[keyword, kept]];
}

/** The names of a list without duplicates. A list with an unknown type is dropped. */
function keptTexts(keyword: string, given: JsonValue): readonly string[] {
  const texts = isJsonList(given) ? given.filter((item) => typeof item === "string") : [];
  return keyword === "type" && !texts.every(isType) ? [] : [...new Set(texts)];
}

import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { isSame } from "./same-json.ts";
import { compiles, wellFormed } from "./well-formed.ts";

/** Keywords that map names to schemas. */
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** Keywords with a schema or a list of schemas. */
const INNER: ReadonlySet<string> = new Set([
  ...["items", "prefixItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties"],
  ...["propertyNames", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"],
]);

/** Keywords inside which a weaker schema makes the whole stricter. */
const WHOLE: ReadonlySet<string> = new Set(["not", "if", "contains"]);

/** Deeper schemas stay unchanged. */
const MAX_LEVELS = 64;

/**
 * A third-party tool's schema in a form that arguments can be checked with. Invalid keywords, such as the type `int` or a pattern of
 * another language, are dropped, and so are formats, which implementations interpret differently. OpenAPI's `nullable` allows null.
 */
export const checkableSchema = (schema: JsonObject): JsonObject => levelOf(schema, MAX_LEVELS);

function levelOf(value: JsonObject, levels: number): JsonObject {
  const { format: _format, nullable, pattern, ...rest } = wellFormed(value);
  const schema = Object.fromEntries(
    Object.entries(rest).flatMap(([keyword, part]) => entriesOf(keyword, part, { levels: levels - 1, schema: rest })),
  );
  const isPattern = typeof pattern === "string" && compiles(pattern, "u");
  const whole = isPattern ? { ...schema, pattern } : schema;
  return nullable === true ? { anyOf: [whole, { type: "null" }] } : whole;
}

interface Level {
  readonly levels: number;
  readonly schema: JsonObject;
}

function entriesOf(
  keyword: string,
  part: JsonValue,
  { levels, schema }: Level,
): readonly (readonly [string, JsonValue])[] {
  const changed = partOf(keyword, part, levels);
  if (isSame(changed, part)) return [[keyword, part]];
  if (WHOLE.has(keyword)) return [];
  // Weakened alternatives may match together.
  if (keyword === "oneOf") return schema["anyOf"] === undefined ? [["anyOf", changed]] : [];
  return [[keyword, changed]];
}

function partOf(keyword: string, part: JsonValue, levels: number): JsonValue {
  if (levels === 0) return part;
  if (INNER.has(keyword)) return innerOf(part, levels);
  if (!MAPS.has(keyword) || !isRecord(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, innerOf(inner, levels)]));
}

function innerOf(value: JsonValue, levels: number): JsonValue {
  if (isList(value)) return value.map((one) => innerOf(one, levels));
  return isRecord(value) ? levelOf(value, levels) : value;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

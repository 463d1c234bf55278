import { isRecord } from "@mdx-ai/base";

/** Parts of a message, as they came out of JSON. */
export type Parts = { readonly [name: string]: unknown };

/** Members whose values are data of the server or the user, where `null` means something. */
const DATA = new Set([
  ...["_meta", "arguments", "structuredContent", "toolResult", "data", "input", "text"],
  ...["default", "const", "enum", "examples"],
]);

/** Members that are schemas of data. That of a form is a part of the protocol. */
const SCHEMAS = new Set(["inputSchema", "outputSchema"]);

/** Deeper parts are no parts of the protocol, and are left as they are. */
const LEVELS = 50;

/** A part of a message without its members that are `null`, which many servers send for what is absent. Data and the values in schemas stay as they are. */
export const withoutNulls = (parts: Parts): Parts => partsWithoutNulls(parts, LEVELS);

function partsWithoutNulls(parts: Parts, levels: number): Parts {
  const kept = Object.entries(parts).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, memberWithoutNulls(name, value, levels - 1)]));
}

function memberWithoutNulls(name: string, value: unknown, levels: number): unknown {
  if (DATA.has(name) || levels === 0) return value;
  if (SCHEMAS.has(name)) return schemaWithoutNulls(value, levels);
  if (name === "properties") return fieldsWithoutNulls(value, levels);
  if (Array.isArray(value)) return value.map((one) => (isRecord(one) ? partsWithoutNulls(one, levels - 1) : one));
  return isRecord(value) ? partsWithoutNulls(value, levels) : value;
}

/** The fields of a form, whose names are anything. */
function fieldsWithoutNulls(fields: unknown, levels: number): unknown {
  if (!isRecord(fields)) return fields;
  const read = ([name, field]: [string, unknown]): [string, unknown] => [
    name,
    isRecord(field) ? partsWithoutNulls(field, levels) : field,
  ];
  return Object.fromEntries(Object.entries(fields).map(read));
}

/** Keywords whose value is any value of JSON. */
const VALUES = new Set(["default", "const"]);

/** Keywords that contain values of JSON. */
const VALUE_LISTS = new Set(["enum", "examples"]);

/** Keywords that contain schemas by name. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** Keywords that contain a schema, or a list of them. */
const INNER = new Set([
  ...["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "additionalProperties"],
  ...["unevaluatedProperties", "propertyNames", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"],
]);

function schemaWithoutNulls(schema: unknown, levels: number): unknown {
  if (levels <= 0) return schema;
  if (Array.isArray(schema)) {
    return schema.filter((one) => one !== null).map((one) => schemaWithoutNulls(one, levels - 1));
  }
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword, value]) => value !== null || VALUES.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, keywordWithoutNulls(keyword, value, levels - 1)]));
}

function keywordWithoutNulls(keyword: string, value: unknown, levels: number): unknown {
  if (VALUES.has(keyword) || VALUE_LISTS.has(keyword)) return value;
  if (INNER.has(keyword)) return schemaWithoutNulls(value, levels);
  if (keyword === "required" && Array.isArray(value)) return value.filter((one) => one !== null);
  if (!MAPS.has(keyword) || !isRecord(value)) return value;
  // A parameter without a schema may have any value.
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, schemaWithoutNulls(inner ?? {}, levels)]),
  );
}

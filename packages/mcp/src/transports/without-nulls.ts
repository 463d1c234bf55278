import { isRecord } from "@mdx-ai/base";

/** Members of a message, as parsed from JSON. */
export type Parts = { readonly [name: string]: unknown };

/** Members whose values are data of the server or the user, where `null` has a meaning. */
const DATA = new Set([
  ...["_meta", "arguments", "structuredContent", "toolResult", "data", "input", "text"],
  ...["default", "const", "enum", "examples"],
]);

/** Members that are JSON Schemas of data. The schema of a form is part of the protocol. */
const SCHEMAS = new Set(["inputSchema", "outputSchema"]);

/** Deeper values are not part of the protocol and stay unchanged. */
const LEVELS = 50;

/** Removes `null` members, which many servers send for absent ones. Data and values in schemas stay unchanged. */
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

/** The fields of a form, which may have any name. */
function fieldsWithoutNulls(fields: unknown, levels: number): unknown {
  if (!isRecord(fields)) return fields;
  const read = ([name, field]: [string, unknown]): [string, unknown] => [
    name,
    isRecord(field) ? partsWithoutNulls(field, levels) : field,
  ];
  return Object.fromEntries(Object.entries(fields).map(read));
}

/** Keywords whose value is any JSON value. */
const VALUES = new Set(["default", "const"]);

/** Keywords with lists of JSON values. */
const VALUE_LISTS = new Set(["enum", "examples"]);

/** Keywords that map names to schemas. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** Keywords with a schema or a list of schemas. */
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

import { isRecord, isText, type JsonObject, type JsonValue } from "@mdx-ai/base";
import type { SchemaFamily } from "./families.ts";

/** Whether a value is an integer of at least 0. */
export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const types: ReadonlySet<JsonValue> = new Set(["string", "number", "integer", "boolean", "object", "array"]);

/** Levels of plain schemas; deeper ones are checked in full. */
const MAX_LEVELS = 8;

/**
 * Whether a schema is of the simple kind of nearly all tools and needs no rewriting. Much faster than rewriting; false does not mean that
 * it needs rewriting.
 */
export const isPlainSchema = (schema: JsonObject, family: SchemaFamily): boolean =>
  schema["type"] === "object" && isRecord(schema["properties"]) && isPlain(schema, family, 0);

function isPlain(schema: JsonValue | undefined, family: SchemaFamily, level: number): boolean {
  if (!isRecord(schema) || level > MAX_LEVELS) return false;
  const { type, properties, items } = schema;
  if (!isPlainType(type, family)) return false;
  if (family.complete && type === "array" && items === undefined) return false;
  if (family.complete && type === "object" && properties === undefined) return false;
  for (const keyword of Object.keys(schema)) {
    const isKnown = family.keywords === "all" || family.keywords.has(keyword);
    if (!isKnown || !isPlainValue(keyword, schema, { family, level })) return false;
  }
  return true;
}

function isPlainType(type: JsonValue | undefined, { types: form }: SchemaFamily): boolean {
  if (!Array.isArray(type)) return type !== undefined && types.has(type);
  const [first = "", second] = type;
  return (
    form === "list" &&
    type.length === 2 &&
    types.has(first) &&
    second === "null" &&
    first !== "array" &&
    first !== "object"
  );
}

interface Level {
  readonly family: SchemaFamily;
  readonly level: number;
}

function isPlainValue(keyword: string, schema: JsonObject, { family, level }: Level): boolean {
  const { [keyword]: value = null, type, properties } = schema;
  switch (keyword) {
    case "type":
    case "default":
      return true;
    case "description":
    case "title":
      return isText(value);
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return typeof value === "number" && (type === "number" || type === "integer");
    case "minLength":
    case "maxLength":
      return isCount(value) && type === "string";
    case "minItems":
    case "maxItems":
      return isCount(value) && type === "array";
    case "additionalProperties":
      return typeof value === "boolean" && type === "object";
    case "enum":
      return (
        type === "string" && Array.isArray(value) && value.length > 0 && value.every((one) => isText(one) && one !== "")
      );
    case "items":
      return type === "array" && isPlain(value, family, level + 1);
    case "properties":
      return type === "object" && isRecord(value) && arePlain(value, { family, level });
    case "required":
      return type === "object" && isRecord(properties) && areKnown(value, properties);
    default:
      return false;
  }
}

function arePlain(properties: JsonObject, { family, level }: Level): boolean {
  const names = Object.keys(properties);
  if (names.length === 0) return family.emptyObjects;
  return names.every((name) => family.names.test(name) && isPlain(properties[name], family, level + 1));
}

function areKnown(required: JsonValue, properties: JsonObject): boolean {
  if (!Array.isArray(required) || new Set(required).size < required.length) return false;
  return required.every((name) => isText(name) && Object.hasOwn(properties, name));
}

import { isJsonObject, isRecord, type JsonObject, type JsonSchema, type JsonValue } from "@mdx-ai/base";
import { referenced } from "./json-pointer.ts";

/**
 * The arguments with the `default` of each property that they leave out, also in objects and arrays within; the given ones
 * are not changed. Nothing is filled into a default itself. Those of `anyOf`, `oneOf`, `not` and `if`
 * mean nothing, since it is not known which holds.
 */
export function fillDefaults(schema: JsonSchema, args: JsonObject): JsonObject {
  const filled = fill(args, schema, { root: schema, seen: [] });
  return isJsonObject(filled) ? filled : args;
}

interface Context {
  readonly root: JsonSchema;
  /** The schemas that were applied to this very value, so that references in a circle end. */
  readonly seen: readonly object[];
}

function fill(value: JsonValue, schema: unknown, { root, seen }: Context): JsonValue {
  if (!isRecord(schema) || seen.includes(schema) || typeof value !== "object" || value === null) return value;
  const context = { root, seen: [...seen, schema] };
  const { $ref, allOf } = schema;
  const also = [...(typeof $ref === "string" ? [referenced(root, $ref)] : []), ...(Array.isArray(allOf) ? allOf : [])];
  const own = isJsonObject(value) ? fillObject(value, schema, root) : fillArray(value, schema, root);
  return also.reduce<JsonValue>((current, other) => fill(current, other, context), own);
}

function fillObject(
  value: JsonObject,
  { properties }: Readonly<Record<string, unknown>>,
  root: JsonSchema,
): JsonObject {
  if (!isRecord(properties)) return value;
  const present = Object.entries(value).map(([key, member]): [string, JsonValue] => {
    return [key, fill(member, Object.hasOwn(properties, key) ? properties[key] : undefined, { root, seen: [] })];
  });
  const absent = Object.entries(properties).flatMap(([key, property]): [string, JsonValue][] => {
    if (Object.hasOwn(value, key) || !isJsonObject(property)) return [];
    const preset = property["default"];
    return preset === undefined ? [] : [[key, structuredClone(preset)]];
  });
  return Object.fromEntries([...present, ...absent]);
}

function fillArray(
  values: readonly JsonValue[],
  { items, prefixItems }: Readonly<Record<string, unknown>>,
  root: JsonSchema,
): readonly JsonValue[] {
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  return values.map((value, index) => fill(value, index < first.length ? first[index] : items, { root, seen: [] }));
}

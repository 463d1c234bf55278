import { isJsonObject, isRecord, type JsonSchema } from "@mdx-ai/base";

/** The keys of a JSON pointer in a URI fragment, such as `#/a/0`; none for the whole. */
export function keysOf(pointer: string): readonly string[] {
  const keys = pointer.replace(/^[^#]*#\/?/, "");
  return keys === "" ? [] : keys.split("/").map((key) => decoded(key).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decoded(key: string): string {
  try {
    return decodeURI(key);
  } catch {
    return key;
  }
}

/** The value below these keys; undefined if there is none. */
export function valueAt(root: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(memberOf, root);
}

/** The same in a schema; the key `$ref` leads to what a reference within the schema points at. */
export function schemaValueAt(root: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => {
    const member = memberOf(value, key);
    return key === "$ref" && typeof member === "string" ? referenced(root, member) : member;
  }, root);
}

/** What `#` or `#/…` points at; undefined for any other reference. */
export function referenced(root: unknown, reference: string): unknown {
  return reference === "#" || reference.startsWith("#/") ? valueAt(root, keysOf(reference)) : undefined;
}

/** The schema of the value at these keys, as `properties`, `additionalProperties` and `items` say; undefined if there is none. */
export function schemaAt(root: JsonSchema, keys: readonly string[]): JsonSchema | undefined {
  let schema: JsonSchema | undefined = root;
  for (const key of keys) {
    const inner: unknown = schema && innerSchema(schema, key);
    const target = isJsonObject(inner) && typeof inner["$ref"] === "string" ? referenced(root, inner["$ref"]) : inner;
    schema = isJsonObject(target) ? target : undefined;
  }
  return schema;
}

function innerSchema({ properties, additionalProperties, items }: JsonSchema, key: string): unknown {
  if (isRecord(properties) && Object.hasOwn(properties, key)) return properties[key];
  return isRecord(additionalProperties) || !/^\d+$/.test(key) ? additionalProperties : items;
}

/** The names that `properties` gives at these keys; none if there are none. */
export function namesAt(root: JsonSchema, keys: readonly string[]): readonly string[] {
  const properties = schemaAt(root, keys)?.["properties"];
  return isRecord(properties) ? Object.keys(properties) : [];
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

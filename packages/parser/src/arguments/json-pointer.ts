import { isRecord } from "@mdx-ai/base";

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

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";

/** The target of a reference within a document; undefined if there is none. */
export function referredTo(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let found: JsonValue | undefined = root;
  for (const key of reference.slice(2).split("/").map(keyOf)) {
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

function keyOf(part: string): string {
  return decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The name of a root definition in a reference; undefined for other references. */
export const definitionOf = (reference: string): string | undefined =>
  /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1];

import { isRecord } from "../record.ts";
import type { JsonSchema } from "../types/json.ts";

/** Keys of maps and indices of lists, from the outside in. */
export type Path = readonly string[];

/** The schema of the setting at a path below `root`; undefined if there is no such setting. */
export function schemaAt(root: JsonSchema, path: Path): JsonSchema | undefined {
  let schema: JsonSchema | undefined = root;
  for (const key of path) schema = schema && innerSchema(schema, key);
  return schema;
}

function innerSchema(schema: JsonSchema, key: string): JsonSchema | undefined {
  const { properties, additionalProperties, items } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, key)) return schemaOf(properties[key]);
  return schemaOf(additionalProperties) ?? (/^\d+$/.test(key) ? schemaOf(items) : undefined);
}

function schemaOf(value: unknown): JsonSchema | undefined {
  return isSchema(value) ? value : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}

/** The names that a map may hold at a path; none where it may hold any. */
export function namesAt(root: JsonSchema, path: Path): readonly string[] {
  const properties = schemaAt(root, path)?.["properties"];
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** Whether a map at a path may hold any name. */
export function takesAnyName(root: JsonSchema, path: Path): boolean {
  return isRecord(schemaAt(root, path)?.["additionalProperties"]);
}

/** The setting that a path leads to or into: a list, or a value that may be a map or not, counts as one. */
export function settingPath(root: JsonSchema, path: Path): Path {
  const depth = path.findIndex((_key, index) => schemaAt(root, path.slice(0, index + 1))?.["type"] !== "object");
  return depth === -1 ? path : path.slice(0, depth + 1);
}

/** A path as an author would write it, such as `limits.turns`, without places in lists. */
export function pathName(root: JsonSchema, path: Path): string {
  return path.filter((key, index) => !isPlaceInList(schemaAt(root, path.slice(0, index)), key)).join(".");
}

function isPlaceInList(schema: JsonSchema | undefined, key: string): boolean {
  return /^\d+$/.test(key) && schema?.["items"] !== undefined;
}

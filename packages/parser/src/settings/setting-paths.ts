import { schemaAt } from "../arguments/json-pointer.ts";
import { isRecord } from "../record.ts";
import type { JsonSchema } from "../types/json.ts";

/** Keys of maps and indices of lists, from the outside in. */
export type Path = readonly string[];

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

import { isRecord, type JsonSchema } from "@mdx-ai/base";
import { schemaAt } from "../arguments/json-pointer.ts";
import type { Report } from "../report.ts";
import type { YamlMap, YamlRange } from "./yaml-map.ts";

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

/** A path as an author would write it, such as `limits.turns`, without indices of lists. */
export function pathName(root: JsonSchema, path: Path): string {
  return path.filter((key, index) => !isListIndex(schemaAt(root, path.slice(0, index)), key)).join(".");
}

function isListIndex(schema: JsonSchema | undefined, key: string): boolean {
  return /^\d+$/.test(key) && schema?.["items"] !== undefined;
}

/** A YAML map of settings while it is checked. */
export interface SettingsReading {
  readonly yaml: YamlMap;
  /** The YAML's text. */
  readonly text: string;
  /** Offset of the YAML in its document. */
  readonly base: number;
  /** The schema that the map must match. */
  readonly schema: JsonSchema;
  readonly report: Report;
  /** Whether a value that fits the schema also meets what no schema can say. */
  readonly accepts: (path: Path, value: unknown) => boolean;
  /** Filled with the keys at the top that fixes rename. */
  readonly renamed: RenamedKey[];
}

/** A key that a fix renames. */
export interface RenamedKey {
  readonly key: string;
  readonly to: string;
  /** Of the key in the document. */
  readonly offset: number;
}

/** The range of a value or a key in the document. */
export function rangeOf({ yaml, base }: SettingsReading, path: Path, of: "key" | "value"): YamlRange {
  const { start, end } = yaml.rangeAt(path, of);
  return { start: base + start, end: base + end };
}

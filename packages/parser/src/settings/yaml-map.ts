import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { isRecord } from "../record.ts";

/** A mistake in YAML, at an offset of its text. */
interface YamlProblem {
  readonly offset: number;
  readonly message: string;
}

/** A YAML map with the places of its parts. */
export interface YamlMap {
  /** The values; empty where the YAML is broken or no map. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly YamlProblem[];
  /** The offset of the value at a path of keys; of the key where `of` is "key". */
  offsetAt(path: readonly string[], of: "key" | "value"): number;
}

/** Reads a YAML map. Never throws; nothing and a lone comment are an empty map. */
export function readYamlMap(text: string): YamlMap {
  const document = parseDocument(text, { prettyErrors: false, logLevel: "silent" });
  const { contents } = document;
  const offsetAt: YamlMap["offsetAt"] = (path, of) => offsetIn(contents, path, of);
  const errors = once(document.errors.map((error) => ({ offset: error.pos[0], message: error.message })));
  if (errors.length > 0) return { values: {}, problems: errors, offsetAt };
  const values = jsonValue(() => document.toJS({ maxAliasCount: 100 }));
  if (values instanceof Error) return { values: {}, problems: [{ offset: 0, message: values.message }], offsetAt };
  if (isRecord(values)) return { values, problems: [], offsetAt };
  const isNothing = values === null || values === undefined;
  const problems = isNothing ? [] : [{ offset: startOf(contents), message: "Not a map of keys and values" }];
  return { values: {}, problems, offsetAt };
}

/** An end that comes too early is told once for each of the brackets that it leaves open. */
function once(problems: readonly YamlProblem[]): readonly YamlProblem[] {
  return [...new Map(problems.map((problem) => [`${problem.offset} ${problem.message}`, problem])).values()];
}

/** The value as JSON has it: no cycles, no NaN, no half characters. */
function jsonValue(convert: () => unknown): unknown {
  try {
    const json = JSON.stringify(convert()) ?? "null";
    if (/\\u[dD][89a-fA-F]/.test(json)) return new Error("Half of a character");
    return JSON.parse(json);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function offsetIn(contents: unknown, path: readonly string[], of: "key" | "value"): number {
  let node = contents;
  let offset = startOf(contents);
  for (const [depth, key] of path.entries()) {
    const entry = entryOf(node, key);
    if (entry === undefined) return offset;
    const wantsKey = of === "key" && depth === path.length - 1;
    offset = startOf(wantsKey || !hasRange(entry.value) ? entry.key : entry.value);
    node = entry.value;
  }
  return offset;
}

interface Entry {
  readonly key: unknown;
  readonly value: unknown;
}

/** What stands under a key of a map, or at a place of a list. */
function entryOf(node: unknown, key: string): Entry | undefined {
  if (isMap(node)) return node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  const value: unknown = isSeq(node) ? node.items[Number(key)] : undefined;
  return value === undefined ? undefined : { key: value, value };
}

function startOf(node: unknown): number {
  return hasRange(node) ? node.range[0] : 0;
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}

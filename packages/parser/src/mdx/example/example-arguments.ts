import { findNodeAtLocation, type Node } from "jsonc-parser";
import { expectationOf } from "../../arguments/expectation.ts";
import { fillDefaults } from "../../arguments/fill-defaults.ts";
import { valueAt } from "../../arguments/json-pointer.ts";
import { type SchemaProblem, schemaCheck } from "../../arguments/schema-problems.ts";
import { isRecord } from "../../record.ts";
import { quoted, type Report } from "../../report.ts";
import { didYouMean } from "../../suggestion.ts";
import type { JsonSchema } from "../../types/json.ts";
import type { ToolExample } from "../../types/tool-definition.ts";

/** The arguments of an example with their nodes. */
export interface LocatedArguments {
  readonly value: ToolExample["arguments"];
  readonly node: Node;
}

/** Reports every argument that the tool would refuse, at its position. Returns whether all are accepted. */
export function checkArguments({ value, node }: LocatedArguments, schema: JsonSchema, report: Report): boolean {
  const mistakes = problemsOf(value, schema).flatMap((problem) => mistakesOf(problem, schema));
  for (const { path, ofKey, message, hint } of mistakes) {
    const at = nodeAt(node, path);
    const shown = ofKey ? (at.parent?.children?.[0] ?? at) : at;
    report({ rule: "example-arguments", offset: shown.offset, message, hint });
  }
  return mistakes.length === 0;
}

/** None if the schema is invalid, which is reported elsewhere. */
function problemsOf(value: ToolExample["arguments"], schema: JsonSchema): readonly SchemaProblem[] {
  try {
    return schemaCheck(schema)(fillDefaults(schema, value));
  } catch {
    return [];
  }
}

interface Mistake {
  readonly path: readonly string[];
  /** Whether the key of the member is wrong, not its value. */
  readonly ofKey?: true;
  readonly message: string;
  readonly hint: string;
}

function mistakesOf(problem: SchemaProblem, schema: JsonSchema): readonly Mistake[] {
  const { keyword, path, expected, found, message } = problem;
  const of = path.length === 0 ? "as the arguments" : `for parameter ${quoted(nameOf(path))}`;
  switch (keyword) {
    case "false":
      return [unknownMistake(path, schema)];
    case "required":
      return missingMistakes(problem);
    case "type": {
      const types = typeWords(expected);
      const seen = `unexpected ${kindOf(found)} ${of}, expected ${types}`;
      return [{ path, message: seen, hint: `write ${types}, or change the tool's parameters` }];
    }
    default: {
      const wanted = expectationOf(problem)?.expected ?? `a value that matches its schema (${message})`;
      const seen = quoted(JSON.stringify(found) ?? "nothing");
      const hint = "write a matching value, or change the tool's parameters";
      return [{ path, message: `unexpected ${seen} ${of}, expected ${wanted}`, hint }];
    }
  }
}

function unknownMistake(path: readonly string[], schema: JsonSchema): Mistake {
  const known = propertyNames(schema, path.slice(0, -1));
  const name = path.at(-1) ?? "";
  const expected = known.length === 0 ? "none: the tool has no parameters" : known.map(quoted).join(", ");
  const hint = didYouMean(name, known, "remove it, or declare it");
  return { path, ofKey: true, message: `unexpected argument ${quoted(nameOf(path))}, expected ${expected}`, hint };
}

function missingMistakes({ expected, found, path }: SchemaProblem): readonly Mistake[] {
  const names: readonly unknown[] = Array.isArray(expected) ? expected : [];
  const missing = names.map(String).filter((name) => isRecord(found) && !Object.hasOwn(found, name));
  return missing.map((name) => ({
    path,
    message: `the required argument ${quoted(nameOf([...path, name]))} is missing`,
    hint: `add \`${JSON.stringify(name)}\`, or make the parameter optional`,
  }));
}

/** The properties of the object at these keys, if the schema states them directly. */
function propertyNames(schema: JsonSchema, keys: readonly string[]): readonly string[] {
  const inner = keys.reduce<unknown>((current, key) => {
    return valueAt(current, ["properties", key]) ?? valueAt(current, ["items"]);
  }, schema);
  const properties = valueAt(inner, ["properties"]);
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** The nearest node: a filled-in default has no node. */
function nodeAt(root: Node, path: readonly string[]): Node {
  let node = root;
  for (const key of path) {
    const next = findNodeAtLocation(node, [node.type === "array" ? Number(key) : key]);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

function nameOf(path: readonly string[]): string {
  return path.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : `${index === 0 ? "" : "."}${key}`)).join("");
}

function typeWords(expected: unknown): string {
  const types = [expected].flat().map(String);
  return types.map((type) => (type === "null" ? type : `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`)).join(" or ");
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

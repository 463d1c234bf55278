import { didYouMean, isRecord, type JsonSchema, type JsonValue } from "@mdx-ai/base";
import { jsonMembers } from "@mdx-ai/base/json";
import type { Node } from "jsonc-parser";
import { referenced } from "../../arguments/json-pointer.ts";
import { patternProblem } from "../../arguments/patterns/bounded-patterns.ts";
import { expectationOf, problemsIfValid, type SchemaProblem } from "../../arguments/schema-problems.ts";
import { quoted } from "../../report.ts";
import type { Rule } from "../../rules.ts";
import type { Severity } from "../../types/diagnostic.ts";

/** The types that a schema may name. */
export const schemaTypes = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;

/** A mistake in a schema. */
interface SchemaMistake {
  readonly rule: Rule;
  readonly severity?: Severity;
  readonly message: string;
  readonly hint: string;
}

/** Records a mistake at a node of the JSON. */
export type ReportMistake = (at: Node, mistake: SchemaMistake) => void;

/** A schema within a schema, with its node in the JSON. */
export interface LocatedSchema {
  readonly node: Node;
  readonly schema: JsonSchema;
}

/** Pairs of limits whose first must not exceed the second. */
const limitPairs = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minContains", "maxContains"],
] as const;

/** Reports limits that exclude each other. */
export function checkLimits({ node, schema }: LocatedSchema, mistake: ReportMistake): void {
  for (const [least, greatest] of limitPairs) {
    const [low, high, at] = [schema[least], schema[greatest], valueNode(node, greatest)];
    if (typeof low !== "number" || typeof high !== "number" || low <= high || at === undefined) continue;
    const message = `unexpected \`${greatest}\` of ${high} below \`${least}\` of ${low}, expected at least ${low}`;
    mistake(at, { rule: "schema-keyword", message, hint: "swap the two, or correct one of them" });
  }
}

/** How many names of one list are reported: each is compared with all properties. */
const MAX_NAMES = 10;

/** Reports required names that no property has: possible, and nearly always a misspelling. */
export function checkRequired({ node, schema }: LocatedSchema, mistake: ReportMistake): void {
  const { properties } = schema;
  if (!isRecord(properties)) return;
  const items = valueNode(node, "required")?.children ?? [];
  const missing = items.filter(({ value }) => typeof value === "string" && !Object.hasOwn(properties, value));
  for (const item of missing.slice(0, MAX_NAMES)) {
    const message = `unexpected ${quoted(String(item.value))} in \`required\`, expected the name of a property`;
    const hint = didYouMean(String(item.value), Object.keys(properties), "declare it under `properties`");
    mistake(item, { rule: "schema-keyword", severity: "warning", message, hint });
  }
}

/** Reports patterns that are not valid regular expressions. */
export function checkPatterns({ node }: LocatedSchema, mistake: ReportMistake): void {
  const ofNames = valueNode(node, "patternProperties");
  const keys = ofNames === undefined ? [] : jsonMembers(ofNames).map(({ key }) => key);
  for (const at of [valueNode(node, "pattern"), ...keys]) {
    const reason = typeof at?.value === "string" ? patternProblem(at.value) : undefined;
    if (at === undefined || reason === undefined) continue;
    const message = `unexpected pattern ${quoted(String(at.value))} (${reason}), expected a valid regular expression (with the flag u)`;
    mistake(at, { rule: "schema-keyword", message, hint: "correct it; in JSON every `\\` is written twice" });
  }
}

/** How many references may lead one to the other. */
const MAX_CHAIN = 20;

/** Reports a reference to another document, to something other than a schema, or back to itself. */
export function checkReference({ node, schema }: LocatedSchema, root: JsonSchema, mistake: ReportMistake): void {
  const at = valueNode(node, "$ref");
  if (at === undefined) return;
  const end = endOfChain(schema["$ref"], root);
  if (end === "schema") return;
  const message = `unexpected reference ${quoted(String(at.value))}, expected one to a schema in the same block`;
  const hint =
    end === "circle"
      ? "it leads back to itself, or through too many others"
      : 'write `"#/$defs/NAME"` and declare NAME under `$defs`';
  mistake(at, { rule: "schema-reference", message, hint });
}

function endOfChain(first: unknown, root: JsonSchema): "schema" | "circle" | "nothing" {
  const seen = new Set<string>();
  let reference = first;
  while (typeof reference === "string" && !seen.has(reference) && seen.size < MAX_CHAIN) {
    seen.add(reference);
    // An anchor, which the validator knows.
    if (/^#[A-Za-z_]/.test(reference)) return "schema";
    const target = referenced(root, reference);
    if (typeof target === "boolean") return "schema";
    if (!isRecord(target)) return "nothing";
    if (target["$ref"] === undefined) return "schema";
    reference = target["$ref"];
  }
  return typeof reference === "string" ? "circle" : "nothing";
}

function valueNode(node: Node, name: string): Node | undefined {
  return jsonMembers(node).find((member) => member.name === name)?.value;
}

/**
 * Reports each default that its own schema refuses. All are checked at once, as items of an array, together with the
 * targets of references: each check of a schema reads all of it once.
 */
export function checkDefaults(schemas: readonly LocatedSchema[], root: JsonSchema, mistake: ReportMistake): void {
  const defaults = schemas.flatMap(({ node, schema }) => {
    const member = jsonMembers(node).find(({ name }) => name === "default");
    return member === undefined ? [] : [{ node: member.value, schema }];
  });
  if (defaults.length === 0) return;
  const { $defs = {}, properties = {} } = root;
  const items = defaults.map(({ schema }) => schema);
  const values = defaults.map(({ schema }): JsonValue => schema["default"] ?? null);
  const reported = new Set<number>();
  for (const problem of problemsIfValid({ $defs, properties, prefixItems: items }, values)) {
    const index = Number(problem.path[0]);
    const at = defaults[index]?.node;
    if (at === undefined || reported.has(index)) continue;
    reported.add(index);
    const message = `unexpected default, expected ${expectedOf(problem)}`;
    mistake(at, { rule: "schema-keyword", message, hint: "correct the default or its schema" });
  }
}

function expectedOf(problem: SchemaProblem): string {
  if (problem.path.length > 1) return "a value whose parts all match its schema";
  // An invalid `type` is reported elsewhere.
  const wanted = problem.keyword === "type" ? [problem.expected].flat() : [];
  const types = schemaTypes.filter((type) => wanted.includes(type));
  if (types.length > 0) return `a value of type ${types.join(" or ")}`;
  return expectationOf(problem)?.expected ?? "a value that matches its schema";
}

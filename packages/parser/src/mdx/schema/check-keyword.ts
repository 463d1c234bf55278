import type { Node } from "jsonc-parser";
import { referenced } from "../../arguments/json-pointer.ts";
import { isRecord } from "../../record.ts";
import { quoted } from "../../report.ts";
import { didYouMean } from "../../suggestion.ts";
import { placedMembers } from "../json/placed-members.ts";
import { patternProblem } from "../parameter/parameter-limits.ts";
import { type KeywordKind, schemaTypes } from "./keywords.ts";
import type { SchemaPlace, SchemaReading } from "./schema-place.ts";

/** A keyword of a schema with the value below it. */
export interface PlacedKeyword {
  readonly name: string;
  readonly kind: KeywordKind;
  readonly value: Node;
}

/** Reports an invalid value of a keyword, and returns the schemas within it, with their paths below the keyword. */
export function checkKeyword(keyword: PlacedKeyword, reading: SchemaReading): readonly SchemaPlace[] {
  const { name, kind, value } = keyword;
  switch (kind) {
    case "schema":
      return [{ node: value, path: [] }];
    case "schema-list":
      return schemasOfList(keyword, reading);
    case "schema-map":
      return schemasOfMap(keyword, reading);
    case "reference":
      checkReference(value, reading);
      return [];
    case "type":
      checkType(value, reading);
      return [];
    case "pattern":
      checkPattern(value, reading);
      return [];
    default: {
      const { expected, accepts } = wanted[kind];
      if (!accepts(value)) wrong(value, { expected: `${expected} under ${quoted(name)}`, reading });
      return [];
    }
  }
}

type PlainKind = Exclude<KeywordKind, "schema" | "schema-list" | "schema-map" | "reference" | "type" | "pattern">;

interface Wanted {
  readonly expected: string;
  accepts(node: Node): boolean;
}

const wanted: Readonly<Record<PlainKind, Wanted>> = {
  anything: { expected: "a value", accepts: () => true },
  count: { expected: "a whole number of at least 0", accepts: ({ value }) => Number.isInteger(value) && value >= 0 },
  number: { expected: "a number", accepts: ({ type }) => type === "number" },
  positive: { expected: "a number above 0", accepts: ({ type, value }) => type === "number" && value > 0 },
  text: { expected: "a string", accepts: ({ type }) => type === "string" },
  truth: { expected: "true or false", accepts: ({ type }) => type === "boolean" },
  "text-list": { expected: "an array of distinct strings", accepts: isTextList },
  "text-lists": {
    expected: "an object of arrays of strings",
    accepts: (node) => node.type === "object" && placedMembers(node).every(({ value }) => isTextList(value)),
  },
  "value-list": {
    expected: "a non-empty array",
    accepts: ({ type, children = [] }) => type === "array" && children.length > 0,
  },
};

function isTextList(node: Node): boolean {
  const texts = (node.children ?? []).map(({ value }) => String(value));
  const areTexts = (node.children ?? []).every(({ type }) => type === "string");
  return node.type === "array" && areTexts && new Set(texts).size === texts.length;
}

function schemasOfList({ name, value }: PlacedKeyword, reading: SchemaReading): readonly SchemaPlace[] {
  const children = value.type === "array" ? (value.children ?? []) : [];
  if (children.length === 0) wrong(value, { expected: `a non-empty array of schemas under ${quoted(name)}`, reading });
  return children.map((node, index) => ({ node, path: [String(index)] }));
}

function schemasOfMap({ name, value }: PlacedKeyword, reading: SchemaReading): readonly SchemaPlace[] {
  if (value.type !== "object") wrong(value, { expected: `an object of schemas under ${quoted(name)}`, reading });
  return placedMembers(value).map((member) => {
    const reason = name === "patternProperties" ? patternProblem(member.name) : undefined;
    if (reason !== undefined) wrongPattern(member.key, reason, reading);
    return { node: member.value, path: [member.name] };
  });
}

function checkType(value: Node, reading: SchemaReading): void {
  const names = value.type === "array" ? (value.children ?? []) : [value];
  if (names.length === 0) wrong(value, { expected: "a type, or an array of types", reading });
  for (const name of names) {
    if (schemaTypes.some((type) => type === name.value)) continue;
    const hint = didYouMean(String(name.value ?? ""), schemaTypes, "write one of them");
    wrong(name, { expected: `one of the types ${schemaTypes.join(", ")}`, reading, hint });
  }
}

function checkPattern(value: Node, reading: SchemaReading): void {
  const pattern: unknown = value.value;
  if (typeof pattern !== "string") wrong(value, { expected: "a regular expression under `pattern`", reading });
  const reason = typeof pattern === "string" ? patternProblem(pattern) : undefined;
  if (reason !== undefined) wrongPattern(value, reason, reading);
}

function wrongPattern(node: Node, reason: string, reading: SchemaReading): void {
  const message = `unexpected pattern ${quoted(String(node.value))} (${reason}), expected a valid regular expression (with the flag u)`;
  reading.mistake(node, { rule: "schema-keyword", message, hint: "correct it; in JSON every `\\` is written twice" });
}

/** How many references may lead one to the other. */
const longestChain = 20;

/** A reference leads to another part of the same block, and not back to itself. */
function checkReference(value: Node, reading: SchemaReading): void {
  const seen = new Set<string>();
  let reference: unknown = value.value;
  while (typeof reference === "string" && !seen.has(reference) && seen.size < longestChain) {
    seen.add(reference);
    // An anchor, which the validator knows.
    if (/^#[A-Za-z_]/.test(reference)) return;
    const target = referenced(reading.root, reference);
    if (typeof target === "boolean") return;
    if (!isRecord(target)) break;
    if (target["$ref"] === undefined) return;
    reference = target["$ref"];
  }
  const isCircle = typeof reference === "string" && isRecord(referenced(reading.root, reference));
  const message = `unexpected reference ${quoted(String(value.value))}, expected one to a schema in the same block`;
  const hint = isCircle
    ? "it leads back to itself, or through too many others"
    : 'write `"#/$defs/NAME"` and declare NAME under `$defs`';
  reading.mistake(value, { rule: "schema-reference", message, hint });
}

interface Wrong {
  readonly expected: string;
  readonly reading: SchemaReading;
  readonly hint?: string;
}

function wrong(node: Node, { expected, reading, hint = "correct the value" }: Wrong): void {
  const seen = node.value === undefined ? node.type : quoted(JSON.stringify(node.value));
  reading.mistake(node, { rule: "schema-keyword", message: `unexpected ${seen}, expected ${expected}`, hint });
}

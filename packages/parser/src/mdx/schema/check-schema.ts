import { didYouMean, isJsonObject, type JsonSchema } from "@mdx-ai/base";
import type { Node } from "jsonc-parser";
import { namesAt, schemaAt, valueAt } from "../../arguments/json-pointer.ts";
import { type Misfit, misfits, schemaCheck } from "../../arguments/schema-problems.ts";
import { quoted } from "../../report.ts";
import { rules } from "../../rules.ts";
import { jsonMembers, type LocatedJson, nodeAt } from "../located-json.ts";
import {
  checkDefaults,
  checkLimits,
  checkPatterns,
  checkReference,
  checkRequired,
  type LocatedSchema,
  type ReportMistake,
  schemaTypes,
} from "./check-keywords.ts";

const typeName: JsonSchema = {
  title: `one of the types ${schemaTypes.join(", ")}`,
  type: "string",
  pattern: `^(${schemaTypes.join("|")})$`,
  examples: schemaTypes,
};

const schema: JsonSchema = { $ref: "#" };
const text: JsonSchema = { title: "a string", type: "string" };
const truth: JsonSchema = { title: "true or false", type: "boolean" };
const number: JsonSchema = { title: "a number", type: "number" };
const count: JsonSchema = { title: "a whole number of at least 0", type: "integer", minimum: 0 };
const values: JsonSchema = { title: "a non-empty array", type: "array", minItems: 1 };
const names: JsonSchema = { title: "an array of distinct strings", type: "array", uniqueItems: true, items: text };
const schemas: JsonSchema = { title: "a non-empty array of schemas", type: "array", minItems: 1, items: schema };
const namedSchemas: JsonSchema = { title: "an object of schemas", type: "object", additionalProperties: schema };

/**
 * The meta-schema of JSON Schema 2020-12 as one schema, without the rules for references and patterns. A `title` describes the
 * expected value, a `description` what to write. Other keywords are unknown, except those that begin with "x-".
 */
const metaSchema: JsonSchema = {
  title: "a schema: an object, true or false",
  description: 'write one such as `{"type": "string"}`',
  type: ["object", "boolean"],
  additionalProperties: false,
  patternProperties: { "^x-": true },
  properties: {
    type: {
      ...typeName,
      title: "a type, or an array of types",
      type: ["string", "array"],
      minItems: 1,
      items: typeName,
    },
    ...each("title description format $comment $schema $id $anchor $ref $dynamicRef $dynamicAnchor", text),
    ...each("contentEncoding contentMediaType pattern", text),
    ...each("const default $vocabulary", {}),
    ...each("enum examples", values),
    ...each("uniqueItems deprecated readOnly writeOnly", truth),
    ...each("minimum maximum exclusiveMinimum exclusiveMaximum", number),
    multipleOf: { title: "a number above 0", type: "number", exclusiveMinimum: 0 },
    ...each("minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains", count),
    required: names,
    dependentRequired: { title: "an object of arrays of strings", type: "object", additionalProperties: names },
    ...each("items contains additionalProperties propertyNames unevaluatedProperties unevaluatedItems", schema),
    ...each("not if then else contentSchema", schema),
    ...each("allOf anyOf oneOf prefixItems", schemas),
    ...each("properties patternProperties dependentSchemas $defs", namedSchemas),
  },
};

function each(keywords: string, value: JsonSchema): JsonSchema {
  return Object.fromEntries(keywords.split(" ").map((keyword) => [keyword, value]));
}

/** Made ready at its first use: that takes longer than a check. */
const checkMeta = schemaCheck(metaSchema);

/** Reports what is wrong in a schema and in all schemas within it, each at its position. Returns whether nothing is an error. */
export function checkSchema({ value, node }: LocatedJson, root: JsonSchema, report: ReportMistake): boolean {
  let isSound = true;
  const mistake: ReportMistake = (at, found) => {
    isSound &&= (found.severity ?? rules[found.rule]) === "warning";
    report(at, found);
  };
  const unfit = misfits(value, metaSchema, checkMeta);
  for (const misfit of unfit) reportMisfit(misfit, node, mistake);
  const schemas = schemasIn(node, value);
  for (const schema of schemas) {
    checkLimits(schema, mistake);
    checkRequired(schema, mistake);
    checkPatterns(schema, mistake);
    checkReference(schema, root, mistake);
  }
  // A schema with a wrong value, such as a limit that is no number, says nothing about its default.
  const wrong = unfit.filter(({ schema }) => schema !== undefined).map(({ path }) => nodeAt(node, path));
  const sound = schemas.filter(({ node }) => !wrong.some((part) => overlap(part, node)));
  checkDefaults(sound, root, mistake);
  return isSound;
}

const overlap = (one: Node, other: Node): boolean =>
  one.offset < other.offset + other.length && other.offset < one.offset + one.length;

function reportMisfit({ path, schema }: Misfit, root: Node, mistake: ReportMistake): void {
  const node = nodeAt(root, path);
  const key = path.at(-1) ?? "";
  if (schema === undefined) {
    reportUnknown(key, node.parent?.children?.[0] ?? node, mistake);
    return;
  }
  const { title, description, examples } = schema;
  const seen = node.value === undefined ? node.type : quoted(JSON.stringify(node.value));
  const keyword = path.findLast((step) => !/^\d+$/.test(step)) ?? "";
  const message = `unexpected ${seen}, expected ${title} under ${quoted(keyword)}`;
  const known = Array.isArray(examples) ? examples.map(String) : [];
  const hint = didYouMean(String(node.value ?? ""), known, String(description ?? `write ${title}`));
  mistake(node, { rule: "schema-keyword", message, hint });
}

/** JSON Schema ignores unknown keywords, but an author writes one for a purpose. */
function reportUnknown(name: string, key: Node, mistake: ReportMistake): void {
  const message = `unexpected keyword ${quoted(name)}, expected one of JSON Schema 2020-12`;
  const hint = otherDialects.get(name) ?? didYouMean(name, namesAt(metaSchema, []), "remove it: it has no effect");
  mistake(key, { rule: "schema-unknown-keyword", message, hint });
}

/** What to write instead of a keyword of another dialect. */
const otherDialects: ReadonlyMap<string, string> = new Map([
  ["nullable", 'write `"type": ["string", "null"]`'],
  ["definitions", "write `$defs`"],
  ["id", "write `$id`"],
  ["additionalItems", "write `prefixItems` and `items`"],
  ["dependencies", "write `dependentRequired` or `dependentSchemas`"],
  ["$recursiveRef", 'write `"$ref": "#"`'],
  ["optional", "leave the name out of `required`"],
]);

/** All schemas of the JSON, in the order of the text. `path` leads from the schema around a node to it. */
function schemasIn(node: Node, value: unknown, path: readonly string[] = []): readonly LocatedSchema[] {
  const kind = schemaAt(metaSchema, path);
  if (kind === undefined) return [];
  const isSchema = kind === metaSchema;
  const own = isSchema && isJsonObject(value) ? [{ node, schema: value }] : [];
  const inner = partsOf(node).flatMap(([key, part]) =>
    schemasIn(part, valueAt(value, [key]), [...(isSchema ? [] : path), key]),
  );
  return [...own, ...inner];
}

function partsOf(node: Node): readonly (readonly [key: string, part: Node])[] {
  if (node.type === "array") return (node.children ?? []).map((part, index) => [String(index), part]);
  return jsonMembers(node).map(({ name, value }) => [name, value]);
}

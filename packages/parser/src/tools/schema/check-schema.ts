import { didYouMean, isJsonObject, type JsonSchema } from "@mdx-ai/base";
import { jsonMembers, type LocatedJson, nodeAt } from "@mdx-ai/base/json";
import { memberSchema, type Problem, type Schema, validate } from "@mdx-ai/base/schema";
import type { Node } from "jsonc-parser";
import { valueAt } from "../../arguments/json-pointer.ts";
import { quoted } from "../../report.ts";
import { rules } from "../../rules.ts";
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

const typeName: Schema = {
  title: `one of the types ${schemaTypes.join(", ")}`,
  type: "string",
  pattern: `^(${schemaTypes.join("|")})$`,
  examples: schemaTypes,
};

const schema: Schema = { $ref: "#" };
const text: Schema = { title: "a string", type: "string" };
const truth: Schema = { title: "true or false", type: "boolean" };
const number: Schema = { title: "a number", type: "number" };
const count: Schema = { title: "a whole number of at least 0", type: "integer", minimum: 0 };
const values: Schema = { title: "a non-empty array", type: "array", minItems: 1 };
const names: Schema = { title: "an array of distinct strings", type: "array", uniqueItems: true, items: text };
const schemas: Schema = { title: "a non-empty array of schemas", type: "array", minItems: 1, items: schema };
const namedSchemas: Schema = { title: "an object of schemas", type: "object", additionalProperties: schema };

/**
 * The meta-schema of JSON Schema 2020-12 as one schema, without the rules for references and patterns. A `title` describes the
 * expected value, a `description` what to write. Other keywords are unknown, except those that begin with "x-".
 */
const metaSchema: Schema = {
  title: "a schema: an object, true or false",
  description: 'write one such as `{"type": "string"}`',
  type: ["object", "boolean"],
  additionalProperties: false,
  patternProperties: { "^x-": {} },
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

function each(keywords: string, value: Schema): Readonly<Record<string, Schema>> {
  return Object.fromEntries(keywords.split(" ").map((keyword) => [keyword, value]));
}

/** Reports what is wrong in a schema and in all schemas within it, each at its position. Returns whether nothing is an error. */
export function checkSchema(json: LocatedJson, root: JsonSchema, report: ReportMistake): boolean {
  const { value, node } = json;
  let isSound = true;
  const mistake: ReportMistake = (at, found) => {
    isSound &&= (found.severity ?? rules[found.rule]) === "warning";
    report(at, found);
  };
  const { problems } = validate(metaSchema, json);
  for (const problem of problems) reportProblem(problem, node, mistake);
  const schemas = schemasIn(node, value, metaSchema);
  for (const schema of schemas) {
    checkLimits(schema, mistake);
    checkRequired(schema, mistake);
    checkPatterns(schema, mistake);
    checkReference(schema, root, mistake);
  }
  // A schema with a wrong value, such as a limit that is no number, says nothing about its default.
  const wrong = problems.filter(({ schema }) => schema !== undefined).map(({ path }) => nodeAt(node, path));
  const sound = schemas.filter(({ node }) => !wrong.some((part) => overlap(part, node)));
  checkDefaults(sound, root, mistake);
  return isSound;
}

const overlap = (one: Node, other: Node): boolean =>
  one.offset < other.offset + other.length && other.offset < one.offset + one.length;

function reportProblem({ path, schema }: Problem, root: Node, mistake: ReportMistake): void {
  const node = nodeAt(root, path);
  const key = path.at(-1) ?? "";
  if (schema === undefined) {
    reportUnknown(key, node.parent?.children?.[0] ?? node, mistake);
    return;
  }
  const { title, description, examples = [] } = schema;
  const seen = node.value === undefined ? node.type : quoted(JSON.stringify(node.value));
  const keyword = path.findLast((step) => !/^\d+$/.test(step)) ?? "";
  const message = `unexpected ${seen}, expected ${title} under ${quoted(keyword)}`;
  const hint = didYouMean(String(node.value ?? ""), examples, description ?? `write ${title}`);
  mistake(node, { rule: "schema-keyword", message, hint });
}

/** JSON Schema ignores unknown keywords, but an author writes one for a purpose. */
function reportUnknown(name: string, key: Node, mistake: ReportMistake): void {
  const message = `unexpected keyword ${quoted(name)}, expected one of JSON Schema 2020-12`;
  const hint =
    otherDialects.get(name) ??
    didYouMean(name, Object.keys(metaSchema.properties ?? {}), "remove it: it has no effect");
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

/** All schemas of the JSON, in the order of the text; `kind` is what a node must be. */
function schemasIn(node: Node, value: unknown, kind: Schema): readonly LocatedSchema[] {
  const own = kind === metaSchema && isJsonObject(value) ? [{ node, schema: value }] : [];
  const inner = partsOf(node).flatMap(([key, part]) => {
    const inner = node.type === "array" ? kind.items : memberSchema(kind, key);
    if (inner === undefined || inner === false) return [];
    return schemasIn(part, valueAt(value, [key]), inner.$ref === "#" ? metaSchema : inner);
  });
  return [...own, ...inner];
}

function partsOf(node: Node): readonly (readonly [key: string, part: Node])[] {
  if (node.type === "array") return (node.children ?? []).map((part, index) => [String(index), part]);
  return jsonMembers(node).map(({ name, value }) => [name, value]);
}

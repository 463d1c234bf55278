import type { JsonSchema } from "../../record.ts";

/** The types that a schema may name. */
export const schemaTypes = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
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
export const metaSchema: JsonSchema = {
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

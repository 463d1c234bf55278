/** The kind of value of a JSON Schema keyword. */
export type KeywordKind =
  | "anything"
  | "count"
  | "number"
  | "pattern"
  | "positive"
  | "reference"
  | "schema"
  | "schema-list"
  | "schema-map"
  | "text"
  | "text-list"
  | "text-lists"
  | "truth"
  | "type"
  | "value-list";

const words: readonly (readonly [KeywordKind, string])[] = [
  ["anything", "const default $vocabulary"],
  ["count", "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains"],
  ["number", "minimum maximum exclusiveMinimum exclusiveMaximum"],
  ["pattern", "pattern"],
  ["positive", "multipleOf"],
  ["reference", "$ref"],
  ["schema", "items contains additionalProperties propertyNames unevaluatedProperties unevaluatedItems"],
  ["schema", "not if then else contentSchema"],
  ["schema-list", "allOf anyOf oneOf prefixItems"],
  ["schema-map", "properties patternProperties dependentSchemas $defs"],
  ["text", "title description format $comment $schema $id $anchor $dynamicRef $dynamicAnchor"],
  ["text", "contentEncoding contentMediaType"],
  ["text-list", "required"],
  ["text-lists", "dependentRequired"],
  ["truth", "uniqueItems deprecated readOnly writeOnly"],
  ["type", "type"],
  ["value-list", "enum examples"],
];

/** Every keyword of JSON Schema 2020-12. */
export const keywordKinds: ReadonlyMap<string, KeywordKind> = new Map(
  words.flatMap(([kind, list]) => list.split(" ").map((word): [string, KeywordKind] => [word, kind])),
);

/** The types that a schema may name. */
export const schemaTypes = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;

/** What to write instead of a keyword of another dialect. */
export const otherDialects: ReadonlyMap<string, string> = new Map([
  ["nullable", 'write `"type": ["string", "null"]`'],
  ["definitions", "write `$defs`"],
  ["id", "write `$id`"],
  ["additionalItems", "write `prefixItems` and `items`"],
  ["dependencies", "write `dependentRequired` or `dependentSchemas`"],
  ["$recursiveRef", 'write `"$ref": "#"`'],
  ["optional", "leave the name out of `required`"],
]);

/** Pairs of limits whose first must not exceed the second. */
export const limitPairs = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minContains", "maxContains"],
] as const;

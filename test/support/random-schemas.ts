/** Random schemas of every shape that tools have, and values that they are likely to take. */
import fc from "fast-check";

export type Schema = { readonly [keyword: string]: unknown };

const names = fc.constantFrom("a", "b", "c", "$top", "filter[name]", "größe", "名前", "x".repeat(70), "any_key", "top");

const scalar = fc.oneof(
  fc.constantFrom("", "p", "q", "2020-01-01T00:00:00Z", "http://a.example/"),
  fc.integer({ min: -3, max: 9 }),
  fc.constantFrom(0.5, 1.5),
  fc.boolean(),
  fc.constant(null),
);

const texts: fc.Arbitrary<Schema> = fc.record(
  {
    type: fc.constant("string"),
    minLength: fc.nat(2),
    maxLength: fc.integer({ min: 2, max: 30 }),
    pattern: fc.constantFrom("^[a-z]*$", "p|q", "^(?!z).*$", "^\\p{L}*$"),
    format: fc.constantFrom("uri", "date-time", "email", "made-up"),
    description: fc.constantFrom("Some text", ""),
  },
  { requiredKeys: ["type"] },
);

const numbers: fc.Arbitrary<Schema> = fc.record(
  {
    type: fc.constantFrom("number", "integer"),
    minimum: fc.integer({ min: -3, max: 1 }),
    maximum: fc.integer({ min: 3, max: 9 }),
    exclusiveMinimum: fc.constantFrom(-4, true),
    multipleOf: fc.constantFrom(1, 2, 0),
    default: fc.integer(),
  },
  { requiredKeys: ["type"] },
);

const choices: fc.Arbitrary<Schema> = fc.oneof(
  fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ const: scalar }),
  fc.record({ type: fc.constant("string"), enum: fc.array(fc.constantFrom("", "p", "q"), { maxLength: 3 }) }),
  fc.record({ type: fc.constant(["string", "null"]), enum: fc.constant(["p", null]) }),
);

const loose: fc.Arbitrary<Schema> = fc.oneof(
  fc.constantFrom({}, { description: "Anything" }, { type: "object" }, { type: "array" }, { type: "null" }),
  fc.record({
    type: fc.uniqueArray(fc.constantFrom("string", "integer", "number", "boolean", "null"), { minLength: 1 }),
  }),
  fc.record({ type: fc.constant("boolean"), $comment: fc.string() }),
  fc.record({ $ref: fc.constantFrom("#/$defs/tree", "#/definitions/one", "#/properties/a", "#") }),
  fc.record({ $ref: fc.constantFrom("#/$defs/tree", "#/definitions/one"), description: fc.constant("Neighbour") }),
);

const { schema } = fc.letrec<{ schema: unknown; object: Schema; array: Schema; union: Schema; leaf: Schema }>(
  (tie) => ({
    leaf: fc.oneof(texts, numbers, choices, loose),
    object: fc.record(
      {
        type: fc.constantFrom("object", ["object", "null"]),
        properties: fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
        required: fc.oneof(
          { weight: 20, arbitrary: fc.array(names, { maxLength: 1 }) },
          { weight: 1, arbitrary: fc.constant(null) },
        ),
        additionalProperties: fc.oneof(fc.constant(true), fc.boolean(), tie("leaf")),
        patternProperties: fc.constantFrom({ "^x-": { type: "string" } }, {}),
        minProperties: fc.constant(1),
        dependentRequired: fc.constant({ a: ["b"] }),
        unevaluatedProperties: fc.constant(false),
        propertyNames: fc.constant({ maxLength: 100 }),
        title: fc.constant("A thing"),
      },
      { requiredKeys: ["type"] },
    ),
    array: fc.record(
      {
        type: fc.constant("array"),
        items: fc.oneof(tie("schema"), fc.array(tie("leaf"), { maxLength: 2 })),
        prefixItems: fc.array(tie("leaf"), { minLength: 1, maxLength: 2 }),
        maxItems: fc.nat(3),
        uniqueItems: fc.boolean(),
        contains: tie("leaf"),
      },
      { requiredKeys: ["type"] },
    ),
    union: fc.oneof(
      fc.record({
        anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
        description: fc.constant("One of these"),
      }),
      fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
      fc.record({ not: tie("leaf") }),
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      fc.record({ if: tie("leaf"), then: tie("leaf"), else: tie("leaf") }),
    ),
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { weight: 6, arbitrary: tie("leaf") },
      { weight: 3, arbitrary: tie("object") },
      { weight: 2, arbitrary: tie("array") },
      { weight: 2, arbitrary: tie("union") },
      { weight: 1, arbitrary: fc.boolean() },
    ),
  }),
);

const branch = fc.record(
  {
    properties: fc.dictionary(names, schema, { maxKeys: 2 }),
    required: fc.array(names, { maxLength: 1 }),
    additionalProperties: fc.constant(false),
  },
  { requiredKeys: [] },
);

const tree = {
  type: "object",
  properties: {
    $id: { type: "string" },
    next: { $ref: "#/$defs/tree" },
    all: { type: "array", items: { $ref: "#/$defs/tree" } },
  },
};

/** Schemas of the parameters of tools. */
export const parameterSchemas: fc.Arbitrary<Schema> = fc
  .record(
    {
      type: fc.constant("object"),
      properties: fc.dictionary(names, schema, { maxKeys: 4 }),
      required: fc.array(names, { maxLength: 1 }),
      additionalProperties: fc.oneof(
        { weight: 3, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      anyOf: fc.array(branch, { minLength: 1, maxLength: 3 }),
      oneOf: fc.array(branch, { minLength: 1, maxLength: 2 }),
      allOf: fc.array(branch, { minLength: 1, maxLength: 2 }),
      $schema: fc.constant("http://json-schema.org/draft-07/schema#"),
    },
    { requiredKeys: ["properties"] },
  )
  .map(({ anyOf, oneOf, allOf, ...root }) => ({ ...root, ...(anyOf ? { anyOf } : oneOf ? { oneOf } : { allOf }) }))
  .map((root) => ({ ...root, $defs: { tree }, definitions: { one: { type: "integer" } } }));

type Pick = (below: number) => number;

/** A value that a schema is likely to take; `pick` draws a number below another. */
export function likelyValue(schema: unknown, pick: Pick, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null || depth > 6) return pick(2) === 0 ? "p" : 1;
  const node: Schema = Object.fromEntries(Object.entries(schema));
  const below = (inner: unknown): unknown => likelyValue(inner, pick, depth + 1);
  const named = namedValue(node, pick, below);
  if (named !== undefined) return named.value;
  const { type, allOf } = node;
  const unions = [node["anyOf"], node["oneOf"]].filter(Array.isArray).map((branches) => anyOf(branches, pick));
  const parts = [...unions, ...(Array.isArray(allOf) ? allOf : [])].map(below);
  if (depth > 0 && parts.length > 0 && type === undefined) return parts[0];
  const chosen = Array.isArray(type) ? anyOf(type, pick) : type;
  const samples = samplesOf(chosen);
  if (samples !== undefined) return anyOf(samples, pick);
  if (chosen === "array") return Array.from({ length: pick(3) }, (_, index) => below(itemAt(node, index)));
  if (type === undefined && depth > 0 && !("properties" in node))
    return anyOf(["p", 3, null, true, { k: 1 }, [1], [["p"]]], pick);
  const objects = parts.filter((one) => typeof one === "object" && !Array.isArray(one));
  return Object.assign({}, objectOf(node, pick, below), ...objects);
}

const anyOf = (list: readonly unknown[], pick: Pick): unknown => list[pick(list.length)];

/** The value of a schema that names its values, or that of what its reference leads to. */
function namedValue(
  node: Schema,
  pick: Pick,
  below: (schema: unknown) => unknown,
): { readonly value: unknown } | undefined {
  const { enum: values, $ref: ref } = node;
  if ("const" in node) return { value: node["const"] };
  if (Array.isArray(values) && values.length > 0) return { value: anyOf(values, pick) };
  if (ref === "#/$defs/tree") return { value: below(tree) };
  return ref === "#/definitions/one" ? { value: pick(5) } : undefined;
}

function samplesOf(type: unknown): readonly unknown[] | undefined {
  const samples: Readonly<Record<string, readonly unknown[]>> = {
    string: ["p", "q", "", "2020-01-01T00:00:00Z", "http://a.example/", "zz"],
    integer: [0, 2, 4, -2, 7],
    number: [0, 2, 0.5, 4],
    boolean: [true, false],
    null: [null],
  };
  return samples[String(type)];
}

function itemAt({ items, prefixItems }: Schema, index: number): unknown {
  const prefix = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  return prefix[index] ?? (Array.isArray(items) ? {} : (items ?? {}));
}

function objectOf(node: Schema, pick: Pick, below: (schema: unknown) => unknown): Schema {
  const { required } = node;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const declared = Object(node["properties"]);
  const properties = [
    ...Object.entries(declared).filter(([name]) => needed.includes(name) || pick(3) === 0),
    ...needed.filter((name) => !Object.hasOwn(declared, String(name))).map((name) => [String(name), {}] as const),
  ];
  const { additionalProperties: others } = node;
  const extra = pick(4) === 0 && others !== false ? [["extra", below(others ?? {})] as const] : [];
  const patterned = pick(3) === 0 && "patternProperties" in node ? [["x-1", "p"] as const] : [];
  return Object.fromEntries([
    ...properties.map(([name, inner]) => [name, below(inner)] as const),
    ...extra,
    ...patterned,
  ]);
}

import { describe, expect, test } from "bun:test";
import { schemaCheck } from "@mdx-ai/parser";
import fc from "fast-check";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { likelyValue, parameterSchemas } from "../../../../test/support/random-schemas.ts";
import { faultsOf, vendorSubsets } from "../../../../test/support/vendor-subsets.ts";
import { adaptSchema } from "./adapt-schema.ts";
import { schemaFamily } from "./families.ts";
import { isPlainSchema } from "./plain-schema.ts";

const isRecord = (value: unknown): value is Record<string, never> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** With OpenAPI's word for null in those of JSON Schema. */
function inJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inJsonSchema);
  if (!isRecord(schema)) return schema;
  const { nullable, ...rest } = schema;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inJsonSchema(value)]));
  return nullable === true ? { anyOf: [inner, { type: "null" }] } : inner;
}

function accepts(schema: unknown, value: unknown): boolean {
  return schemaCheck(Object(schema))(value).length === 0;
}

/** Undefined if the schema cannot be used. */
function accepted(schema: unknown, value: unknown): boolean | undefined {
  try {
    return accepts(schema, value);
  } catch {
    return undefined;
  }
}

/** Whether an alternative at the root that takes a value declares what the value has of the names in all alternatives. */
function isDeclared(schema: Record<string, unknown>, value: Record<string, unknown>): boolean {
  const { type, properties, anyOf, oneOf, $defs, definitions } = schema;
  const branches = [anyOf ?? oneOf ?? []].flat().filter(isRecord);
  const namesOf = (branch: Record<string, unknown>): readonly string[] => Object.keys(Object(branch["properties"]));
  const known = namesOf({ properties });
  const apart = branches.flatMap(namesOf).filter((name) => Object.hasOwn(value, name) && !known.includes(name));
  const takers = branches.filter((branch) => accepted({ ...Object(branch), $defs, definitions }, value) === true);
  // Such a part of it takes what is no object if the root says no type.
  if (JSON.stringify(schema).includes('"#"')) return type === "object" && branches.length === 0;
  return branches.length === 0 || takers.some((branch) => apart.every((name) => namesOf(branch).includes(name)));
}

/** One vendor of each family: what others of it take is shown by the tables of schemas. */
const families = vendorSubsets.filter(
  ({ asked }, index) => vendorSubsets.findIndex((other) => schemaFamily(other.asked) === schemaFamily(asked)) === index,
);

describe.each(families)("random schemas for $vendor", (subset) => {
  const family = schemaFamily(subset.asked);

  test("are within its subset, the same each time, and rewritten once", () => {
    fc.assert(
      fc.property(parameterSchemas, (schema) => {
        const input = JSON.parse(JSON.stringify(schema));
        const { schema: sent } = adaptSchema(input, family);
        expect(faultsOf(sent, subset)).toStrictEqual([]);
        expect(input).toStrictEqual(JSON.parse(JSON.stringify(schema)));
        expect(JSON.stringify(adaptSchema(structuredClone(input), family).schema)).toBe(JSON.stringify(sent));
        if (isPlainSchema(input, family)) expect(sent).toBe(input);
      }),
      randomCases(500),
    );
  });

  test("take all that was taken before, under the names that are sent", () => {
    let taken = 0;
    fc.assert(
      fc.property(parameterSchemas, fc.infiniteStream(fc.nat(1000)), (schema, numbers) => {
        const input = JSON.parse(JSON.stringify(schema));
        const pick = (below: number): number => (numbers.next().value ?? 0) % Math.max(1, below);
        const value = JSON.parse(JSON.stringify(likelyValue(input, pick)));
        if (!isRecord(value) || accepted(input, value) !== true || !isDeclared(input, value)) return;
        taken++;
        const { schema: sent, names } = adaptSchema(input, family);
        const args = names?.sent(value) ?? value;
        if (!accepts(inJsonSchema(sent), args))
          throw new Error(
            `${JSON.stringify(args)}\nis refused by ${JSON.stringify(sent)}\nof ${JSON.stringify(input)}`,
          );
        expect(names?.restored(args) ?? args).toStrictEqual(value);
      }),
      randomCases(500),
    );
    expect(taken).toBeGreaterThan(50);
  });
});

import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@mdx-ai/base";
import { uglySchemas } from "../../../../test/support/tool-corpus.ts";
import { faultsOf, vendorSubsets } from "../../../../test/support/vendor-subsets.ts";
import { adaptSchema } from "../../../models/src/schemas/adapt-schema.ts";
import { schemaFamily } from "../../../models/src/schemas/families.ts";

type Named = readonly (readonly [string, JsonObject])[];

describe.each(vendorSubsets)("what $vendor documents", (subset) => {
  const family = schemaFamily(subset.asked);
  const faults = (named: Named) =>
    named.flatMap(([name, schema]) =>
      faultsOf(adaptSchema(schema, family).schema, subset).map((fault) => `${name}: ${fault}`),
    );

  test("holds for what servers of tools list", () => {
    expect(faults(Object.entries(uglySchemas))).toStrictEqual([]);
  });
});

test("the check of subsets finds what vendors have refused", () => {
  const refusing = vendorSubsets.map(
    (subset) => Object.values(uglySchemas).filter((schema) => faultsOf(schema, subset).length > 0).length,
  );
  expect(Math.min(...refusing)).toBeGreaterThan(8);
});

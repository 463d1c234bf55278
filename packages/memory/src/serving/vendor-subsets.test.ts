import { describe, expect, test } from "bun:test";
import { uglySchemas } from "../../../../test/support/tool-corpus.ts";
import { adaptedFaults, faultsOf, vendorSubsets } from "../../../../test/support/vendor-subsets.ts";

describe.each(vendorSubsets)("what $vendor documents", (subset) => {
  test("holds for what servers of tools list", () => {
    expect(adaptedFaults(Object.entries(uglySchemas), subset)).toStrictEqual([]);
  });
});

test("the check of subsets finds what vendors have refused", () => {
  const refusing = vendorSubsets.map(
    (subset) => Object.values(uglySchemas).filter((schema) => faultsOf(schema, subset).length > 0).length,
  );
  expect(Math.min(...refusing)).toBeGreaterThan(8);
});

import { describe, expect, test } from "bun:test";
import type { Usage } from "@mdx-ai/models";
import { costOf, type ModelFacts, modelFacts } from "@mdx-ai/models/prices";

const usage = (counts: Partial<Usage>): Usage => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  thinking: 0,
  total: 0,
  ...counts,
});

const plain: ModelFacts = { input: 3, output: 15 };
const cached: ModelFacts = { ...plain, cacheRead: 0.3, cacheWrite: 3.75 };
const tiered: ModelFacts = {
  ...cached,
  tiers: [
    { above: 400_000, input: 12, output: 45 },
    { above: 200_000, input: 6, output: 22.5, cacheRead: 0.6 },
  ],
};

describe("the cost of an answer", () => {
  test.each<readonly [string, Partial<Usage>, ModelFacts, number | undefined]>([
    ["input and output at their rates", { input: 1000, output: 200 }, plain, 0.006],
    ["thinking as output, of which it is a part", { output: 200, thinking: 150 }, plain, 0.003],
    ["cached input at rates of its own", { input: 100, cacheRead: 10_000, cacheWrite: 1000 }, cached, 0.00705],
    ["cached input as input where it has no rate", { cacheRead: 1000, cacheWrite: 1000 }, plain, 0.006],
    ["the first tier up to its border", { input: 200_000 }, tiered, 0.6],
    ["the whole call at the tier beyond the border", { input: 200_001, output: 100 }, tiered, 1.202256],
    ["cached input as part of the length that chooses a tier", { input: 1, cacheRead: 200_000 }, tiered, 0.120006],
    ["the highest tier that is reached, in any order", { input: 500_000 }, tiered, 6],
    ["input of a tier for cached input without a rate there", { cacheRead: 500_000 }, tiered, 6],
    ["output never as part of that length", { input: 1, output: 300_000 }, tiered, 4.500003],
    ["no tokens as nothing", {}, plain, 0],
    ["nothing where nothing is asked", { input: 1000, output: 1000 }, { input: 0, output: 0 }, 0],
    ["an unknown price as unknown", { input: 1000 }, { window: 100_000 }, undefined],
    ["an unknown model as unknown", { input: 1000 }, {}, undefined],
  ])("counts %s", (_name, counts, facts, expected) => {
    const cost = costOf(usage(counts), facts);
    if (expected === undefined) expect(cost).toBeUndefined();
    else expect(cost).toBeCloseTo(expected, 10);
  });

  test("of a model of the table is what its vendor asks", () => {
    const facts = modelFacts("anthropic", "claude-haiku-4-5");
    expect(costOf(usage({ input: 1_000_000, output: 1_000_000 }), facts)).toBe(6);
    expect(costOf(usage({ cacheRead: 1_000_000, cacheWrite: 1_000_000 }), facts)).toBeCloseTo(1.35, 10);
  });
});

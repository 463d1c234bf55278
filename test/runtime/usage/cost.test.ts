import { describe, expect, test } from "bun:test";
import { addAnswer, addCost, noCost } from "@mdx-ai/loop";
import type { Usage } from "@mdx-ai/models";

const usage: Usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, thinking: 3, total: 135 };
const nothing: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 };

describe("cost", () => {
  test("sums tokens, dollars, calls and the time that models took", () => {
    const once = addAnswer(noCost, { usage, latency: 1000 }, 0.25);
    expect(once).toEqual({ usage, usd: 0.25, unpriced: 0, calls: 1, latency: 1000 });
    expect(addAnswer(once, { usage, latency: 500 }, 0.5)).toEqual({
      usage: { input: 20, output: 10, cacheRead: 200, cacheWrite: 40, thinking: 6, total: 270 },
      usd: 0.75,
      unpriced: 0,
      calls: 2,
      latency: 1500,
    });
  });

  test("keeps the dollars that are known, and counts the answers whose price is not", () => {
    const unknown = addAnswer(addAnswer(noCost, { usage }, 0.25), { usage }, undefined);
    expect(unknown).toMatchObject({ usd: 0.25, unpriced: 1, calls: 2 });
    expect(addAnswer(unknown, { usage }, 0.5)).toMatchObject({ usd: 0.75, unpriced: 1, calls: 3 });
  });

  test("counts an answer without tokens with its time alone, whether its price is known or not", () => {
    expect(addAnswer(noCost, { usage: nothing, latency: 7 }, undefined)).toEqual({ ...noCost, latency: 7 });
    expect(addAnswer(noCost, { usage: nothing }, 5)).toEqual(noCost);
  });

  test("of two is the sum of what is known of both", () => {
    const known = addAnswer(noCost, { usage }, 1);
    const unknown = addAnswer(noCost, { usage }, undefined);
    expect(addCost(known, known)).toMatchObject({ usd: 2, calls: 2 });
    expect(addCost(known, unknown)).toMatchObject({ usd: 1, unpriced: 1 });
    expect(addCost(unknown, known)).toEqual(addCost(known, unknown));
    expect(addCost(known, noCost)).toEqual(known);
  });
});

import { describe, expect, test } from "bun:test";
import type { Usage } from "@mdx-ai/models";
import {
  addAnswer,
  addSpending,
  noSpending,
  spendingOf,
  totalTokens,
} from "../../../packages/runtime/src/spending/spending.ts";

const usage: Usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, thinking: 3 };
const nothing: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0 };

describe("spending", () => {
  test("sums tokens, dollars, calls and the time that models took", () => {
    const once = addAnswer(noSpending, { usage, latency: 1000 }, 0.25);
    expect(once).toEqual({ usage, usd: 0.25, calls: 1, latency: 1000 });
    expect(addAnswer(once, { usage, latency: 500 }, 0.5)).toEqual({
      usage: { input: 20, output: 10, cacheRead: 200, cacheWrite: 40, thinking: 6 },
      usd: 0.75,
      calls: 2,
      latency: 1500,
    });
  });

  test("has no dollars once an answer's price is not known, whatever follows", () => {
    const unknown = addAnswer(addAnswer(noSpending, { usage }, 0.25), { usage }, undefined);
    expect("usd" in unknown).toBe(false);
    expect("usd" in addAnswer(unknown, { usage }, 0.25)).toBe(false);
    expect(unknown.calls).toBe(2);
  });

  test("counts an answer without tokens with its time alone, whether its price is known or not", () => {
    expect(addAnswer(noSpending, { usage: nothing, latency: 7 }, undefined)).toEqual({ ...noSpending, latency: 7 });
    expect(addAnswer(noSpending, { usage: nothing }, 5)).toEqual(noSpending);
  });

  test("of several answers is that of each with its price", () => {
    const answers = [
      { usage, usd: 1 },
      { usage, usd: 2 },
    ];
    expect(spendingOf(answers, ({ usd }) => usd)).toMatchObject({ usd: 3, calls: 2 });
    expect(spendingOf([], () => undefined)).toEqual(noSpending);
  });

  test("of two is known where both are", () => {
    const known = addAnswer(noSpending, { usage }, 1);
    const unknown = addAnswer(noSpending, { usage }, undefined);
    expect(addSpending(known, known)).toMatchObject({ usd: 2, calls: 2 });
    expect("usd" in addSpending(known, unknown)).toBe(false);
    expect("usd" in addSpending(unknown, known)).toBe(false);
    expect(addSpending(known, noSpending)).toEqual(known);
  });

  test("counts cached input among the tokens, and thinking once", () => {
    expect(totalTokens(usage)).toBe(135);
  });
});

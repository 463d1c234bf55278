import { describe, expect, test } from "bun:test";
import { boundedSearch } from "@mdx-ai/parser/bounded-search";

describe("boundedSearch", () => {
  test("finds a pattern anywhere in a text", () => {
    const fits = boundedSearch("(fo|ba)+x");
    expect(["a fobax", "babax", "foo", ""].map(fits)).toStrictEqual([true, true, false, false]);
  });

  test("gives up when its steps are used up, and stays quick for simple patterns", () => {
    const fits = boundedSearch("(a+)+b", 10_000);
    expect(fits("a".repeat(100_000))).toBeUndefined();
    expect(boundedSearch("a+b", 10)("a".repeat(100))).toBe(false);
  });
});

import { describe, expect, test } from "bun:test";
import { boundedSearch } from "@mdx-ai/parser/bounded-search";

describe("boundedSearch", () => {
  test("finds a pattern anywhere in a text", () => {
    const fits = boundedSearch("(fo|ba)+x");
    expect(["a fobax", "babax", "foo", "FOX", ""].map(fits)).toStrictEqual([true, true, false, false, false]);
  });

  test("finds either case where case does not count, however long the text is", () => {
    const fits = boundedSearch("(fo|[a-c]+)+É", { ignoresCase: true });
    expect(["FOé", "xx", `${"aB".repeat(2_000)}é`].map(fits)).toStrictEqual([true, false, true]);
  });

  test("is quick for a long text, whatever the pattern is", () => {
    expect(boundedSearch("(a+)+b")("a".repeat(100_000))).toBe(false);
    expect(boundedSearch("a+b")("a".repeat(100))).toBe(false);
  });
});

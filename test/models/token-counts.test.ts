import { expect, test } from "bun:test";
import { knownCounts, tokenCount } from "../../packages/models/src/usage.ts";

test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "7", null, undefined, {}])(
  "%p is no number of tokens",
  (value) => {
    expect(tokenCount(value)).toBeUndefined();
  },
);

test("what is not told leaves what was known as it is", () => {
  const known = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, thinking: 5 };
  const told = knownCounts({
    input: tokenCount(0),
    output: tokenCount(9),
    thinking: tokenCount("?"),
    cacheRead: undefined,
  });
  expect({ ...known, ...told }).toEqual({ ...known, input: 0, output: 9 });
});

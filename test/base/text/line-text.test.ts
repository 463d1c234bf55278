import { expect, test } from "bun:test";
import { lineText } from "@mdx-ai/base";

const unspeakable = {
  toString: () => {
    throw new Error("no");
  },
};

test.each([
  ["a text", "plain", "plain"],
  ["an error", new TypeError("bad\nthing"), "bad\\nthing"],
  ["an error without a message", new RangeError(), "RangeError"],
  ["a number", 5, "5"],
  ["null", null, "null"],
  ["undefined", undefined, "undefined"],
  ["a symbol", Symbol("x"), "Symbol(x)"],
  ["an object without a prototype", Object.create(null), "a value that cannot be shown as text"],
  ["an object whose toString throws", unspeakable, "a value that cannot be shown as text"],
  ["the C1 control characters", "\u0085\u009b1m", "\\u0085\\u009b1m"],
])("%s becomes one line", (_name, value, expected) => {
  expect(lineText(value)).toBe(expected);
});

import { expect, test } from "bun:test";
import { isWithin } from "@mdx-ai/base";

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b/c", true],
  ["/a", "/a/..b", true],
  ["/", "/a", true],
  ["/a", "/", false],
  ["/a", "/ab", false],
  ["/a/b", "/a", false],
  ["/a/b", "/a/c/b", false],
])("of %s and %s the second is within the first: %j", (folder, path, expected) => {
  expect(isWithin(folder, path)).toBe(expected);
});

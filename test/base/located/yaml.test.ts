import { expect, test } from "bun:test";
import { readYamlMap } from "@mdx-ai/base/yaml";

test("YAML of thousands of broken lines has a hundred problems, in the order of the text", () => {
  const { problems, value } = readYamlMap(`name: A\n${"a\n".repeat(20_000)}`);
  expect(value).toEqual({});
  expect(problems).toHaveLength(100);
  expect(problems.map(({ offset }) => offset)).toEqual(Array.from({ length: 100 }, (_, line) => 8 + 2 * line));
});

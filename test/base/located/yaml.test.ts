import { expect, test } from "bun:test";
import { readYamlMap } from "@mdx-ai/base/yaml";

test("YAML of thousands of broken lines has a hundred problems, in the order of the text", () => {
  const { problems, value } = readYamlMap(`name: A\n${"a\n".repeat(20_000)}`);
  expect(value).toEqual({});
  expect(problems).toHaveLength(100);
  expect(problems.map(({ offset }) => offset)).toEqual(Array.from({ length: 100 }, (_, line) => 8 + 2 * line));
});

test("YAML of thousands of unclosed quotes is read in a time that grows with its length", () => {
  const timeOf = (count: number): number => {
    const text = Array.from({ length: count }, (_, index) => `k${index}: "a\n`).join("");
    const start = process.cpuUsage();
    expect(readYamlMap(text).problems.length).toBeGreaterThan(0);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  timeOf(100);
  expect(timeOf(8_000)).toBeLessThan(5_000);
});

import { expect, test } from "bun:test";
import { splitSkill } from "@mdx-ai/parser";
import { parseSkill } from "@mdx-ai/parser/parse";
import { readYamlMap } from "../../../packages/parser/src/settings/yaml-map.ts";
import { readSimpleYaml } from "../../../packages/parser/src/skills/skill-yaml.ts";
import { skillCorpus } from "../../support/skill-corpus.ts";

const COUNT = 2_000;

test("skills as people write them are read without a crash, and each that is left out has a diagnostic", () => {
  let refused = 0;
  for (const { path, text } of skillCorpus(COUNT, 11)) {
    const { skill, diagnostics } = parseSkill(text, path);
    for (const { line, column, message, hint } of diagnostics) {
      expect([line > 0, column > 0, message.includes("\n"), hint]).toStrictEqual([
        true,
        true,
        false,
        expect.any(String),
      ]);
    }
    if (skill !== undefined) continue;
    refused++;
    expect(diagnostics.some(({ message }) => message.includes("left out"))).toBe(true);
  }
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(COUNT / 100);
});

test("what is read without a YAML parser is what the parser reads, at the same offsets", () => {
  let quick = 0;
  for (const { text } of skillCorpus(COUNT, 12)) {
    const { frontmatter } = splitSkill(text);
    const simple = readSimpleYaml(frontmatter);
    if (simple === undefined) continue;
    quick++;
    const yaml = readYamlMap(frontmatter);
    expect(yaml.problems).toStrictEqual([]);
    expect<Readonly<Record<string, unknown>>>(simple.values).toStrictEqual(yaml.values);
    for (const [key, offset] of simple.offsets) expect(offset).toBe(yaml.rangeAt([key], "value").start);
  }
  expect(quick).toBeGreaterThan(COUNT / 2);
});

test.each([
  "a: 1",
  "a: 'it''s'",
  'a: "\\n"',
  "a: true",
  "a: Null",
  "a:",
  "a: b: c",
  "a: b #c",
  "a: &b c",
  "a: [b, c: d]",
  "a: [true]",
  "a: [1]",
  "a: [b,]",
  "a: [Bash(git *)]",
  "a: []",
  "a: |2\n  b",
  "a: |\n  b\n\n  c",
  "a: >\n  b\n    c",
  "a: b\n  c",
  "a: b\na: c",
  "true: b",
  "# c\na: b",
  "a: b\tc",
  "a: \ud800",
  "a:b",
  "- a",
])("%j is left to the parser", (yaml) => {
  expect(readSimpleYaml(yaml)).toBeUndefined();
});

test.each([
  ["a: b, c {d} [e] f# 'g' \"h\" http://i", { a: "b, c {d} [e] f# 'g' \"h\" http://i" }],
  ["a: 'b: c'\r\nd: \"e # f\"\r\n", { a: "b: c", d: "e # f" }],
  ["a: |\n  b\n  c: d\ne: >-\n   f\n   g\n", { a: "b\nc: d\n", e: "f g" }],
  ["a:   b   ", { a: "b" }],
  ['a: [b, "c d" , e-f]\ng: h', { a: ["b", "c d", "e-f"], g: "h" }],
  ["", {}],
])("%j is read at once, as the parser does", (yaml, values) => {
  expect(readSimpleYaml(yaml)?.values).toStrictEqual(values);
  expect(readYamlMap(yaml).values).toStrictEqual(values);
});

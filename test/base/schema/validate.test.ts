import { describe, expect, test } from "bun:test";
import { readLocatedJson } from "@mdx-ai/base/json";
import { type Schema, unlocated, validate } from "@mdx-ai/base/schema";
import { readYamlMap } from "@mdx-ai/base/yaml";

const count: Schema = { title: "a whole number above 0", type: "integer", minimum: 1 };

const schema: Schema = {
  title: "settings",
  description: "All settings.",
  type: "object",
  additionalProperties: false,
  properties: {
    turns: { ...count, description: "How often." },
    limits: { title: "a map", type: "object", additionalProperties: false, properties: { day: count, hour: count } },
    names: { title: "a list", type: "array", items: { title: "a text", type: "string", minLength: 1 } },
    mode: { title: "`on` or `off`", type: "string", pattern: "^(on|off)$", examples: ["on", "off"] },
    server: {
      title: "a server",
      type: "object",
      isWhole: true,
      additionalProperties: false,
      properties: { url: { title: "an address", type: "string" } },
      check: (_, name) => [{ path: ["url"], rule: "address", message: `no host in ${name}`, hint: "name one" }],
    },
    key: { title: "a text", type: "string", isSecret: true },
    later: { title: "a list", type: "array", "x-supported": false },
  },
};

const both = "both: {a: 1}";

describe("a value is checked in one walk", () => {
  test.each<
    [
      text: string,
      value: unknown,
      problems: readonly (readonly [at: string, message: string, hint: string, fix?: string])[],
    ]
  >([
    ["turns: 3\nlimits: {day: 2}", { turns: 3, limits: { day: 2 } }, []],
    ["turns: 0", {}, [["0", "unexpected `0` as `turns`, expected a whole number above 0", "How often."]]],
    ['turns: "3"', {}, [['"3"', "unexpected `3` as `turns`, expected a whole number above 0", "write `3`", "3"]]],
    [
      "limits: {day: x, hour: 1}",
      { limits: { hour: 1 } },
      [["x", "unexpected `x` as `limits.day`, expected a whole number above 0", "All settings."]],
    ],
    ["names: [a, '']", {}, [["''", "unexpected empty text as `names`, expected a text", "All settings."]]],
    ["mode: offf", {}, [["offf", "unexpected `offf` as `mode`, expected `on` or `off`", "did you mean `off`?", "off"]]],
    [
      "trns: 3",
      {},
      [
        [
          "trns",
          "unexpected setting `trns`, expected one of turns, limits, names, mode, server, key, later",
          "did you mean `turns`?",
          "turns",
        ],
      ],
    ],
    [
      "trns: 3\nturns: 4",
      { turns: 4 },
      [
        [
          "trns",
          "unexpected setting `trns`, expected one of turns, limits, names, mode, server, key, later",
          "did you mean `turns`?",
        ],
      ],
    ],
    [
      "trns: x",
      {},
      [
        [
          "trns",
          "unexpected setting `trns`, expected one of turns, limits, names, mode, server, key, later",
          "did you mean `turns`?",
        ],
      ],
    ],
    ["server: {url: a}", {}, [["a", "no host in server", "name one"]]],
    [
      "server: {url: a, ul: b}",
      {},
      [["ul", "unexpected setting `server.ul`, expected one of url", "did you mean `url`?"]],
    ],
    ["key: 123456", {}, [["123456", "unexpected value as `key`, expected a text", "All settings."]]],
    [
      "later: []",
      {},
      [["later", "the setting `later` is not supported in this version", "remove it: it has no effect"]],
    ],
    [
      both,
      {},
      [
        [
          "both",
          "unexpected setting `both`, expected one of turns, limits, names, mode, server, key, later",
          "remove it: it has no effect",
        ],
      ],
    ],
  ])("%s", (text, value, expected) => {
    const yaml = readYamlMap(text);
    const checked = validate(schema, yaml);
    expect(checked.value).toStrictEqual(value);
    const found = checked.problems.map(
      ({ range, message, hint, fix }) =>
        [yaml.written(range), message, hint, ...(fix === undefined ? [] : [fix.text])] as const,
    );
    expect<unknown>(found).toStrictEqual(expected);
  });
});

test("a value of JSON has the same mistakes at its own ranges, and one without a text has empty ranges", () => {
  const json = readLocatedJson('{"limits": {"day": 0, "dayy": 1}}');
  if ("message" in json) throw new Error(json.message);
  const { problems } = validate(schema, json, { noun: "field", name: "file" });
  expect(problems.map(({ range, message }) => [json.written(range), message])).toStrictEqual([
    ["0", "unexpected `0` as `file.limits.day`, expected a whole number above 0"],
    ['"dayy"', "unexpected field `file.limits.dayy`, expected one of day, hour"],
  ]);
  const bare = validate(schema, unlocated(json.value)).problems;
  expect(bare.map(({ path, range }) => [path.join("."), range])).toStrictEqual([
    ["limits.day", { start: 0, end: 0 }],
    ["limits.dayy", { start: 0, end: 0 }],
  ]);
});

test("a required key that is missing is named where the schema has no title", () => {
  const entry: Schema = { type: "object", required: ["price"], properties: { price: count } };
  const { value, problems } = validate(entry, unlocated({}), { name: "model" });
  expect(value).toBeUndefined();
  expect(problems).toMatchObject([{ kind: "missing", message: "no `model.price`, expected one", hint: "add `price`" }]);
});

import { describe, expect, test } from "bun:test";
import type { JsonSchema, JsonValue } from "@mdx-ai/base";
import { expectationOf, schemaCheck } from "@mdx-ai/parser";

describe("what does not fit a schema is told", () => {
  test.each<[schema: JsonSchema, value: JsonValue, problems: readonly (readonly [string, string])[]]>([
    [{ type: "string" }, "a", []],
    [{ type: "string" }, 1, [["", "type"]]],
    [{ properties: { "a/b~c d%é": { type: "string" } } }, { "a/b~c d%é": 1 }, [["a/b~c d%é", "type"]]],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, 1, [["", "type"]]],
    [
      { anyOf: [{ type: "string" }, { type: "integer", minimum: 3 }] },
      1,
      [
        ["", "type"],
        ["", "minimum"],
      ],
    ],
    [
      { properties: { a: { type: "integer" } }, unevaluatedProperties: false },
      { a: "x", b: 1 },
      [
        ["a", "type"],
        ["b", "false"],
      ],
    ],
    [
      { properties: { a: { minimum: 1, multipleOf: 2 } } },
      { a: -1 },
      [
        ["a", "minimum"],
        ["a", "multipleOf"],
      ],
    ],
  ])("%j of %j", (schema, value, problems) => {
    const found = schemaCheck(schema)(value).map(({ path, keyword }) => [path.join("."), keyword]);
    expect(found.toSorted()).toStrictEqual(problems.map((problem) => [...problem]).toSorted());
  });

  test("with what stands behind a reference", () => {
    const [problem] = schemaCheck({ properties: { a: { $ref: "#/$defs/n" } }, $defs: { n: { type: "integer" } } })({
      a: "x",
    });
    expect(problem).toMatchObject({ keyword: "type", path: ["a"], expected: "integer", found: "x" });
  });

  test("and the schema, frozen or sent to a model, stays as it was", () => {
    const schema: JsonSchema = {
      properties: { a: Object.freeze({ $ref: "#/$defs/n" }) },
      $defs: { n: Object.freeze({}) },
    };
    const before = JSON.stringify(schema);
    expect(schemaCheck(Object.freeze(schema))({ a: 1 })).toStrictEqual([]);
    expect(JSON.stringify(schema)).toBe(before);
  });
});

test("a key that holds half of a surrogate pair is checked as any other", () => {
  const schema = { additionalProperties: { type: "string" } } as const;
  expect(schemaCheck(schema)({ "\udc00": 1 }).map(({ keyword }) => keyword)).toEqual(["type"]);
  expect(schemaCheck(schema)({ "\udc00": "\\ud800" })).toEqual([]);
});

describe("what was expected is told in words", () => {
  test.each<[schema: JsonSchema, value: JsonValue, expected: string, found: string]>([
    [{ minimum: 3 }, 2, "at least 3", "2"],
    [{ maximum: 3 }, 4, "at most 3", "4"],
    [{ exclusiveMinimum: 3 }, 3, "above 3", "3"],
    [{ exclusiveMaximum: 3 }, 3, "below 3", "3"],
    [{ multipleOf: 2 }, 3, "a multiple of 2", "3"],
    [{ enum: ["a", 1] }, "b", 'one of ["a",1]', '"b"'],
    [{ const: null }, "b", "null", '"b"'],
    [{ minLength: 2 }, "😀", "a text of at least 2 characters", "one of 1"],
    [{ maxLength: 1 }, "ab", "a text of at most 1 character", "one of 2"],
    [{ pattern: "^a" }, "b", "a text that matches `^a`", '"b"'],
    [{ format: "date" }, "b", 'a text of the format "date"', '"b"'],
    [{ minItems: 1 }, [], "an array of at least 1 item", "one of 0"],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, "an object of at most 1 key", "one of 2"],
    [{ uniqueItems: true }, [1, 1], "an array of items that all differ", "[1,1]"],
    [{ enum: ["a"] }, "b".repeat(500), 'one of ["a"]', `"${"b".repeat(199)}…`],
  ])("%j of %j", (schema, value, expected, found) => {
    const [problem] = schemaCheck(schema)(value);
    expect(problem && expectationOf(problem)).toStrictEqual({ expected, found });
  });
});

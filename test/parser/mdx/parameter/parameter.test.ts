import { describe, expect, test } from "bun:test";
import type { JsonSchema } from "@mdx-ai/base";
import { agentText } from "../../../support/agent-text.ts";
import { placesOf } from "../../../support/diagnostic-places.ts";
import { readTaking, toolTaking } from "../../../support/parameter-text.ts";
import { parseAgentMdx } from "../../../support/parse-agent-mdx.ts";
import { PLAIN_MESSAGE } from "../../../support/plain-message.ts";

const object = (properties: JsonSchema, required?: readonly string[]) => ({
  type: "object",
  properties,
  ...(required && { required: [...required] }),
  additionalProperties: false,
});

describe("a model is told what a parameter takes", () => {
  test.each<[name: string, tag: string, schema: JsonSchema, isRequired?: boolean]>([
    ["an integer", `type="integer"`, { type: "integer" }],
    ["one of several texts", `enum="a, b,c"`, { type: "string", enum: ["a", "b", "c"] }],
    ["one of several texts, called enum", `type="enum" enum="a,b"`, { type: "string", enum: ["a", "b"] }],
    ["texts with commas", `enum='["a, b", "c"]'`, { type: "string", enum: ["a, b", "c"] }],
    ["one of several numbers", `type="integer" enum="1,-2"`, { type: "integer", enum: [1, -2] }],
    ["one number", `type="number" enum={2.5}`, { type: "number", enum: [2.5] }],
    ["an array of numbers", `type="array" items="number"`, { type: "array", items: { type: "number" } }],
    [
      "an array of known texts",
      `type="array" items="enum" enum="a,b" min="1" max="2"`,
      { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2 },
    ],
    [
      "an array of texts of a form",
      `type="array" items="string" pattern="^a"`,
      { type: "array", items: { type: "string", pattern: "^a" } },
    ],
    ["an object of any keys", `type="object"`, { type: "object" }],
    ["numbers between limits", `type="number" min="-1.5" max={2}`, { type: "number", minimum: -1.5, maximum: 2 }],
    ["texts of a length", `min="1" max="3"`, { type: "string", minLength: 1, maxLength: 3 }],
    ["texts of a form", `pattern="^\\d{4}$"`, { type: "string", pattern: "^\\d{4}$" }],
    ["texts of a form in another script", `pattern="^\\p{L}+$"`, { type: "string", pattern: "^\\p{L}+$" }],
    ["a text that may be null", "nullable", { type: ["string", "null"] }],
    ["a choice that may be null", `enum="a" nullable`, { type: ["string", "null"], enum: ["a", null] }],
    ["a text that may not be null", `nullable="false"`, { type: "string" }],
    ["a text that may be left out", `required="false"`, { type: "string" }, false],
    ["a text that may be null or left out", `nullable required={false}`, { type: ["string", "null"] }, false],
    ["a text with a default", `default="a b"`, { type: "string", default: "a b" }, false],
    ["an empty default", `default=""`, { type: "string", default: "" }, false],
    ["a number with a default", `type="number" default="2.5"`, { type: "number", default: 2.5 }, false],
    ["a number with a default in braces", `type="number" default={2.5}`, { type: "number", default: 2.5 }, false],
    ["a default of false", `type="boolean" default="false"`, { type: "boolean", default: false }, false],
    ["a default of null", `nullable default={null}`, { type: ["string", "null"], default: null }, false],
    [
      "an array with a default",
      `type="array" items="integer" default="[1, 2]"`,
      { type: "array", items: { type: "integer" }, default: [1, 2] },
      false,
    ],
    ["an object with a default", `type="object" default='{"a": 1}'`, { type: "object", default: { a: 1 } }, false],
    [
      "a description first",
      `type="integer" min="1" description="How many"`,
      { type: "integer", description: "How many", minimum: 1 },
    ],
  ])("%s", async (_name, attributes, schema, isRequired = true) => {
    const read = await readTaking(`<Param name="a" ${attributes} />`);
    expect(read.diagnostics).toStrictEqual([]);
    expect(JSON.stringify(read.schema)).toBe(JSON.stringify(object({ a: schema }, isRequired ? ["a"] : undefined)));
  });

  test("an object with members, in objects and arrays, takes those alone", async () => {
    const { schema, diagnostics } = await readTaking(`
  <Param name="place" type="object" description="Where">
    <Param name="city" />
    <Param name="at" type="object" required="false">
      <Param name="zip" type="integer" />
    </Param>
  </Param>
  <Param name="guests" type="array" items="object" min="1"><Param name="vip" type="boolean" default="false" /></Param>
  <Param name="city" />`);
    expect(diagnostics).toStrictEqual([]);
    const at = object({ zip: { type: "integer" } }, ["zip"]);
    const place = object({ city: { type: "string" }, at }, ["city"]);
    const guest = object({ vip: { type: "boolean", default: false } });
    expect(schema).toStrictEqual(
      object(
        {
          place: { ...place, description: "Where" },
          guests: { type: "array", items: guest, minItems: 1 },
          city: { type: "string" },
        },
        ["place", "guests", "city"],
      ),
    );
  });

  test("the same with CRLF, and names that mean something to JavaScript", async () => {
    const takes = `<Param name="__proto__" type="object">\n  <Param name="constructor" default="x" />\n</Param>`;
    const plain = await parseAgentMdx(agentText(toolTaking(takes)));
    const windows = await parseAgentMdx(agentText(toolTaking(takes)).replaceAll("\n", "\r\n"));
    expect(plain.diagnostics).toStrictEqual([]);
    expect(windows.tools[0]?.parameters).toStrictEqual(plain.tools[0]?.parameters ?? []);
    const { schema } = await readTaking(takes);
    expect(JSON.stringify(schema)).toContain(
      '"__proto__":{"type":"object","properties":{"constructor":{"type":"string"',
    );
  });
});

describe("a mistake in a parameter is told at its place, with what was expected and a hint", () => {
  test.each<[name: string, takes: string, places: readonly string[], message: string, hint?: string]>([
    [
      "an unknown type",
      `<Param name="a" type="int" />`,
      ["8:17 param-type"],
      "`int`, expected one of string, number",
      "did you mean `integer`?",
    ],
    ["a misspelled type", `<Param name="a" type="aray" />`, ["8:17 param-type"], "`aray`", "did you mean `array`?"],
    [
      "a list in another language",
      `<Param name="a" type="string[]" />`,
      ["8:17 param-type"],
      "`string[]`",
      'write `type="array" items="string"`',
    ],
    [
      "a type or null",
      `<Param name="a" type="string | null" />`,
      ["8:17 param-type"],
      "null",
      "write `nullable` for null",
    ],
    [
      "an enum without values",
      `<Param name="a" type="enum" />`,
      ["8:1 param-enum"],
      "has no values",
      'write `enum="a,b"`',
    ],
    ["an empty enum", `<Param name="a" enum=" , " />`, ["8:17 param-enum"], "`enum` without values"],
    [
      "an enum of no numbers",
      `<Param name="a" type="number" enum="1,b" />`,
      ["8:31 param-enum"],
      "`b` in `enum`, expected values of type `number`",
    ],
    ["an enum of fractions for integers", `<Param name="a" type="integer" enum="1.5" />`, ["8:32 param-enum"], "`1.5`"],
    [
      "an enum of numbers for texts",
      `<Param name="a" enum="[1]" />`,
      ["8:17 param-enum"],
      "`1` in `enum`, expected values of type `string`",
    ],
    [
      "an enum value twice",
      `<Param name="a" enum="a,b,a" />`,
      ["8:17 param-enum"],
      "second `a`, expected each value once".replace("`a`,", "`a` in `enum`,"),
    ],
    ["an enum of truth values", `<Param name="a" type="boolean" enum="true" />`, ["8:32 param-enum"], "type `boolean`"],
    [
      "items of no array",
      `<Param name="a" items="string" />`,
      ["8:17 param-items"],
      "type `string`",
      'write `type="array"`',
    ],
    [
      "an array without items",
      `<Param name="a" type="array" />`,
      ["8:17 param-items"],
      "array without `items`",
      'write `items="string"`',
    ],
    [
      "items that are arrays",
      `<Param name="a" type="array" items="array" />`,
      ["8:30 param-items"],
      "`array`",
      "`json schema`",
    ],
    [
      "items misspelled",
      `<Param name="a" type="array" items="strng" />`,
      ["8:30 param-items"],
      "`strng`",
      "did you mean `string`?",
    ],
    [
      "min above max",
      `<Param name="a" type="integer" min="5" max="2" />`,
      ["8:40 param-range"],
      "`max` of 2 below `min` of 5, expected at least 5",
    ],
    [
      "a min that is no number",
      `<Param name="a" type="integer" min="low" />`,
      ["8:32 param-range"],
      "`low` as `min`, expected a number",
    ],
    ["an infinite max", `<Param name="a" type="number" max="Infinity" />`, ["8:31 param-range"], "expected a number"],
    ["a length below zero", `<Param name="a" min="-1" />`, ["8:17 param-range"], "a count of characters"],
    [
      "half an item",
      `<Param name="a" type="array" items="string" max="1.5" />`,
      ["8:45 param-range"],
      "a count of items",
    ],
    ["limits of a truth value", `<Param name="a" type="boolean" min="1" />`, ["8:32 param-range"], "type `boolean`"],
    ["a bad pattern", `<Param name="a" pattern="([a-z" />`, ["8:17 param-pattern"], "`([a-z`", "without slashes"],
    ["a pattern of a number", `<Param name="a" type="number" pattern="1" />`, ["8:31 param-pattern"], "type `number`"],
    ["a pattern that is no text", `<Param name="a" pattern />`, ["8:17 param-pattern"], "a regular expression"],
    [
      "a default of another type",
      `<Param name="a" type="integer" default="two" />`,
      ["8:32 param-default"],
      "default `two` of `a`, expected a value of type `integer`",
    ],
    [
      "a fraction for an integer",
      `<Param name="a" type="integer" default="1.5" />`,
      ["8:32 param-default"],
      "type `integer`",
    ],
    [
      "a default beyond its limits",
      `<Param name="a" type="integer" max="3" default="4" />`,
      ["8:40 param-default"],
      "expected at most 3",
    ],
    [
      "a default that is not among the values",
      `<Param name="a" enum="a,b" default="c" />`,
      ["8:28 param-default"],
      'expected one of ["a","b"]',
    ],
    [
      "a default of another form",
      `<Param name="a" pattern="^x" default="y" />`,
      ["8:30 param-default"],
      "matches `^x`",
    ],
    ["a default of null", `<Param name="a" default={null} />`, ["8:17 param-default"], "type `string`"],
    [
      "a default of wrong items",
      `<Param name="a" type="array" items="string" default="[1]" />`,
      ["8:45 param-default"],
      "takes at `0`",
      "JSON",
    ],
    [
      "a default that is no JSON",
      `<Param name="a" type="object" default="{a: 1}" />`,
      ["8:31 param-default"],
      "type `object`",
      "JSON",
    ],
    [
      "a default beyond all numbers",
      `<Param name="a" type="number" default="1e999" />`,
      ["8:31 param-default"],
      "type `number`",
    ],
    [
      "a default of what is required",
      `<Param name="a" required default="x" />`,
      ["8:26 param-default"],
      "required",
      "remove `required`",
    ],
    ["a bad nullable", `<Param name="a" nullable="yes" />`, ["8:17 param-nullable"], "`yes` as `nullable`"],
    [
      "a member of no object",
      `<Param name="a">\n<Param name="b" />\n</Param>`,
      ["9:1 param-nested"],
      "type `string`",
      'write `type="object"`',
    ],
    [
      "a member of an array of texts",
      `<Param name="a" type="array" items="string">\n<Param name="b" />\n</Param>`,
      ["9:1 param-nested"],
      "array of type `string`",
    ],
    [
      "a mistake in a member",
      `<Param name="a" type="object">\n<Param name="b" type="int" />\n</Param>`,
      ["9:17 param-type"],
      "`int`",
    ],
    [
      "two members of one name",
      `<Param name="a" type="object">\n<Param name="b" />\n<Param name="b" />\n</Param>`,
      ["10:1 param-name-duplicate"],
      "`b`",
    ],
    [
      "a text in an object",
      `<Param name="a" type="object">\n\nHello\n\n</Param>`,
      ["10:1 tool-content"],
      "text within",
    ],
    [
      "an object that is not closed",
      `<Param name="a" type="object">\n<Param name="b" />`,
      ["8:1 element-closing-tag"],
      "or `</Param>`",
      "after its members",
    ],
    [
      "an attribute misspelled",
      `<Param name="a" defualt="x" />`,
      ["8:17 attribute-unknown"],
      "`defualt`",
      "did you mean `default`?",
    ],
  ])("%s", async (_name, takes, places, message, hint = "") => {
    const { diagnostics } = await parseAgentMdx(agentText(toolTaking(takes)));
    expect(placesOf(diagnostics)).toStrictEqual([...places]);
    expect(diagnostics[0]?.message).toMatch(PLAIN_MESSAGE);
    expect(diagnostics[0]?.message).toContain(message);
    expect(diagnostics[0]?.hint).toContain(hint);
    expect(diagnostics[0]?.hint).not.toBeEmpty();
  });

  test("objects within objects end at a depth that providers take", async () => {
    const nested = (depth: number): string =>
      depth === 0 ? `<Param name="x" />` : `<Param name="x" type="object">\n${nested(depth - 1)}\n</Param>`;
    expect((await readTaking(nested(7))).diagnostics).toStrictEqual([]);
    for (const depth of [8, 100]) {
      const { diagnostics } = await readTaking(nested(depth));
      expect(diagnostics.map(({ rule }) => rule)).toStrictEqual(["param-nested"]);
    }
  });
});

test("a pattern that backtracks without end costs a check a moment, not the check", async () => {
  const { diagnostics } = await readTaking(
    `<Param name="a" pattern="^(([a-z])+.)+[A-Z]([a-z])+$" default="${"a".repeat(60)}" />`,
  );
  expect(diagnostics.map(({ rule }) => rule)).toStrictEqual(["param-default"]);
});

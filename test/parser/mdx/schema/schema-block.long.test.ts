import { describe, expect, test } from "bun:test";
import { parametersSchema } from "@mdx-ai/parser";
import fc from "fast-check";
import { agentText } from "../../../support/agent-text.ts";
import { placesOf } from "../../../support/diagnostic-places.ts";
import { readTaking, schemaBlock, toolTaking } from "../../../support/parameter-text.ts";
import { parseAgentMdx } from "../../../support/parse-agent-mdx.ts";
import { PLAIN_MESSAGE } from "../../../support/plain-message.ts";
import { randomCases } from "../../../support/random-cases.ts";

const whole = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    count: { $ref: "#/$defs/count" },
    place: { anyOf: [{ type: "string", pattern: "^\\p{Lu}", minLength: 1 }, { type: "null" }], default: null },
    pair: { type: "array", prefixItems: [{ const: 1 }, true], items: false, uniqueItems: true },
    tree: { $ref: "#/$defs/tree" },
    when: { type: ["string", "null"], format: "date", examples: ["2026-01-01"], "x-order": 1 },
  },
  required: ["count"],
  dependentRequired: { when: ["place"] },
  unevaluatedProperties: false,
  $defs: {
    count: { type: "integer", exclusiveMinimum: 0, multipleOf: 2 },
    tree: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/tree" } } } },
  },
};

describe("a block of `json schema`", () => {
  test("is what a model is told, word for word, in the place of parameters", async () => {
    const { tool, schema, diagnostics } = await readTaking(schemaBlock(JSON.stringify(whole, undefined, 2)));
    expect(diagnostics).toStrictEqual([]);
    expect(JSON.stringify(schema)).toBe(JSON.stringify(whole));
    expect(tool.parameters).toStrictEqual([]);
    expect(tool.code.text).toStartWith("async function execute");
  });

  test("may stand after the code, and be written with CRLF", async () => {
    const block = schemaBlock('{\n  "type": "object"\n}');
    const text = agentText(toolTaking("").replace("</Tool>", `${block}\n</Tool>`)).replaceAll("\n", "\r\n");
    const { tools, diagnostics } = await parseAgentMdx(text);
    expect(diagnostics).toStrictEqual([]);
    expect(tools.map(parametersSchema)).toStrictEqual([{ type: "object" }]);
  });

  test("of other JSON says nothing of what a tool takes", async () => {
    const { schema, diagnostics } = await readTaking('```json\n{"type": "array"}\n```');
    expect(diagnostics).toStrictEqual([]);
    expect(schema).toStrictEqual({ type: "object", properties: {}, additionalProperties: false });
  });

  test("keeps names that mean something to JavaScript", async () => {
    const json = '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}';
    const { schema, diagnostics } = await readTaking(schemaBlock(json));
    expect(diagnostics).toStrictEqual([]);
    expect(JSON.stringify(schema)).toBe(json);
  });

  test("holds for the arguments of examples, told at their places", async () => {
    const example = '<Example>\n```json\n{"arguments": {"count": 3, "x": 1}}\n```\n</Example>';
    const { diagnostics } = await readTaking(`${schemaBlock(JSON.stringify(whole))}\n\n${example}`);
    expect(diagnostics.map(({ line, column, rule, message }) => `${line}:${column} ${rule} ${message}`)).toStrictEqual([
      "14:25 example-arguments unexpected `3` for parameter `count`, expected a multiple of 2",
      "14:28 example-arguments unexpected argument `x`, expected `count`, `place`, `pair`, `tree`, `when`",
    ]);
  });
});

describe("a mistake in a block of `json schema` is told at its place in the block", () => {
  const top = (inner: string): string => `{"type": "object",\n"properties": {"a": ${inner}}}`;
  test.each<[name: string, json: string, places: readonly string[], message: string, hint?: string]>([
    ["no JSON", '{"type": "object",}', ["9:19 schema-json"], "expected a key in double quotes"],
    ["nothing", "", ["9:1 schema-json"], "end of the JSON"],
    ["a list", "[]", ["9:1 schema-shape"], "unexpected array"],
    ["a schema of a text", '{"type": "string"}', ["9:10 schema-shape"], '"type": "object"'],
    ["no type", '{"properties": {}}', ["9:1 schema-shape"], "schema without a type"],
    [
      "alternatives at the top",
      '{"type": "object", "anyOf": [{"required": ["a"]}]}',
      ["9:20 schema-shape"],
      "at the top",
    ],
    ["an unknown type", top('{"type": "strng"}'), ["10:30 schema-keyword"], '`"strng"`', "did you mean `string`?"],
    [
      "an unknown type in a list",
      top('{"type": ["string", "nul"]}'),
      ["10:41 schema-keyword"],
      '`"nul"`',
      "did you mean `null`?",
    ],
    ["no types", top('{"type": []}'), ["10:30 schema-keyword"], "a type"],
    [
      "a keyword misspelled",
      top('{"minimun": 1}'),
      ["10:22 schema-unknown-keyword"],
      "`minimun`",
      "did you mean `minimum`?",
    ],
    [
      "a keyword of another dialect",
      top('{"type": "string", "nullable": true}'),
      ["10:40 schema-unknown-keyword"],
      "`nullable`",
      '["string", "null"]',
    ],
    ["a limit that is a text", top('{"minimum": "1"}'), ["10:33 schema-keyword"], "a number under `minimum`"],
    [
      "a limit of an older draft",
      top('{"exclusiveMinimum": true}'),
      ["10:42 schema-keyword"],
      "a number under `exclusiveMinimum`",
    ],
    ["a length below zero", top('{"minLength": -1}'), ["10:35 schema-keyword"], "a whole number of at least 0"],
    ["a multiple of nothing", top('{"multipleOf": 0}'), ["10:36 schema-keyword"], "above 0"],
    [
      "limits that exclude each other",
      top('{"minimum": 5, "maximum": 2}'),
      ["10:47 schema-keyword"],
      "below `minimum` of 5",
    ],
    ["a bad pattern", top('{"pattern": "("}'), ["10:33 schema-keyword"], "pattern `(`", "twice"],
    ["a bad pattern of names", top('{"patternProperties": {"[": true}}'), ["10:44 schema-keyword"], "pattern `[`"],
    ["values that are no list", top('{"enum": "a"}'), ["10:30 schema-keyword"], "a non-empty array"],
    ["no values", top('{"enum": []}'), ["10:30 schema-keyword"], "a non-empty array"],
    ["required as a truth value", top('{"required": true}'), ["10:34 schema-keyword"], "an array of distinct strings"],
    [
      "a description that is no text",
      top('{"description": 5}'),
      ["10:37 schema-keyword"],
      "a string under `description`",
    ],
    ["a property that is no schema", top("5"), ["10:21 schema-keyword"], "expected a schema"],
    [
      "properties that are a list",
      '{"type": "object", "properties": []}',
      ["9:34 schema-keyword"],
      "an object of schemas",
    ],
    ["items as a list", top('{"items": [{}]}'), ["10:31 schema-keyword"], "unexpected array, expected a schema"],
    ["alternatives that are none", top('{"anyOf": {}}'), ["10:31 schema-keyword"], "a non-empty array of schemas"],
    ["a reference to nothing", top('{"$ref": "#/$defs/x"}'), ["10:30 schema-reference"], "`#/$defs/x`", "declare NAME"],
    ["a reference to the net", top('{"$ref": "https://example.com/x.json"}'), ["10:30 schema-reference"], "same block"],
    [
      "a reference to itself",
      top('{"$ref": "#/properties/a"}'),
      ["10:30 schema-reference"],
      "properties",
      "back to itself",
    ],
    [
      "a default that does not fit",
      top('{"type": "integer", "default": "1"}'),
      ["10:52 schema-keyword"],
      "a value of type integer",
    ],
    ["a default below its limit", top('{"minimum": 3, "default": 1}'), ["10:47 schema-keyword"], "at least 3"],
    [
      "a default that a reference refuses",
      '{"type": "object", "properties": {"a": {"$ref": "#/$defs/n", "default": 1}},\n"$defs": {"n": {"type": "string"}}}',
      ["9:73 schema-keyword"],
      "a value of type string",
    ],
    [
      "a required name that is no property",
      '{"type": "object", "properties": {"city": true},\n"required": ["citty"]}',
      ["10:14 schema-keyword"],
      "`citty`",
      "did you mean `city`?",
    ],
    [
      "a name that providers refuse",
      '{"type": "object", "properties": {"a b": true}}',
      ["9:35 param-name-form"],
      "`a b`",
    ],
    [
      "several deep within",
      top('{"items": {"anyOf": [{"type": "x"}, {"$ref": "#/no"}]}}'),
      ["10:51 schema-keyword", "10:66 schema-reference"],
      '`"x"`',
    ],
  ])("%s", async (_name, json, places, message, hint = "") => {
    const { diagnostics } = await parseAgentMdx(agentText(toolTaking(schemaBlock(json))));
    expect(placesOf(diagnostics)).toStrictEqual([...places]);
    expect(diagnostics[0]?.message).toMatch(PLAIN_MESSAGE);
    expect(diagnostics[0]?.message).toContain(message);
    expect(diagnostics[0]?.hint).toContain(hint);
    expect(diagnostics[0]?.hint).not.toBeEmpty();
  });

  const block = schemaBlock('{"type": "object"}');
  test.each<[name: string, takes: string, places: readonly string[]]>([
    ["a parameter beside it", `${block}\n\n<Param name="a" />`, ["12:1 schema-beside-param"]],
    ["a second block", `${block}\n\n${block}`, ["12:1 schema-duplicate"]],
    ["a fence in other words", block.replace("json schema", "json-schema"), ["8:1 schema-fence"]],
    ["a fence of another language", block.replace("json schema", "schema"), ["8:1 schema-fence"]],
  ])("%s", async (_name, takes, places) => {
    const { diagnostics } = await parseAgentMdx(agentText(toolTaking(takes)));
    expect(placesOf(diagnostics)).toStrictEqual([...places]);
    expect(diagnostics[0]?.hint).not.toBeEmpty();
  });

  test("in the columns of the file where Markdown took an indentation away", async () => {
    const indented = toolTaking(schemaBlock('{"type": 5}')).replace(/^(?=.)/gm, "    ");
    const { diagnostics } = await parseAgentMdx(agentText(`- one\n\n${indented}`));
    expect(placesOf(diagnostics)).toStrictEqual(["11:14 schema-shape"]);
  });

  test("a chain of references ends", async () => {
    const chain = (length: number): Promise<{ diagnostics: readonly { readonly rule: string }[] }> => {
      const links = Array.from({ length }, (_, index) => [`x${index}`, { $ref: `#/$defs/x${index + 1}` }]);
      const $defs = { ...Object.fromEntries(links), [`x${length}`]: { type: "string" } };
      return readTaking(schemaBlock(JSON.stringify({ type: "object", $defs })));
    };
    expect((await chain(20)).diagnostics).toStrictEqual([]);
    expect((await chain(21)).diagnostics.map(({ rule }) => rule)).toStrictEqual(["schema-reference"]);
  });

  test.each([
    [{ properties: { count: { minimum: "", default: -1 } } }, "expected a number under `minimum`"],
    [
      { unevaluatedProperties: { $defs: [{ minimum: [1], default: -1 }] } },
      "expected an object of schemas under `$defs`",
    ],
  ])("%j has one mistake: a schema with a wrong value says nothing about its default", async (schema, expected) => {
    const { diagnostics } = await readTaking(schemaBlock(JSON.stringify({ type: "object", ...schema })));
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(expected)]);
  });

  test("whatever the JSON is, nothing is thrown", async () => {
    const words = fc.constantFrom(...Object.keys(whole), "items", "enum", "default", "minimum", "__proto__", "pattern");
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(null, true, -1, 1.5, "object", "#/properties/a", "#", "(", ""),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(words, tie("json"), { maxKeys: 5 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(words, json, { maxKeys: 6 }), async (schema) => {
        const example = '<Example>\n```json\n{"arguments": {"count": {"a": [1]}}}\n```\n</Example>';
        const text = JSON.stringify({ ...schema, type: "object" });
        const { diagnostics } = await readTaking(`${schemaBlock(text)}\n\n${example}`);
        for (const { message } of diagnostics) expect(message).toMatch(PLAIN_MESSAGE);
      }),
      randomCases(300),
    );
  });
});

import { beforeAll, describe, expect, test } from "bun:test";
import type { Diagnostic } from "@mdx-ai/parser";
import { agentWith, checkedFiles, typedTool } from "../../support/type-check.ts";

interface DriftCase {
  readonly name: string;
  /** What stands before the code. */
  readonly takes: string;
  readonly code: string;
  /** The position of `execute`, its line counted from the first line of the code. */
  readonly at: string;
  /** A part of the message and the hint. */
  readonly reason: string;
}

const param = (attributes: string, inner?: string): string =>
  `<Param description="D" ${attributes} ${inner === undefined ? "/>" : `>${inner}</Param>`}`;
const schema = (text: string): string => `\n\`\`\`json schema\n${text}\n\`\`\``;
const takes = (type: string): string => `function execute(params: ${type}) { return ""; }`;
const CITY = param('name="city"');
const MONTH = param('name="month" type="integer" required="false"');

const cases: readonly DriftCase[] = [
  {
    // The compiler ends a line there, which must not move the assertions about the tools below.
    name: "a member whose name has a line separator",
    takes: schema(
      '{"type":"object","properties":{"a\\u2028b":{"type":"string"}},"required":["a\\u2028b"],"additionalProperties":false}',
    ),
    code: takes('{ "a\\u2028b": number }'),
    at: "1:10",
    reason: "Type 'string' is not assignable to type 'number'",
  },
  {
    name: "several members of other types",
    takes: `${CITY}\n${MONTH}`,
    code: takes("{ city: number; month?: string; town: string }"),
    at: "1:10",
    reason: "Property 'town' is missing",
  },
  {
    name: "a member of another type",
    takes: CITY,
    code: takes("{ city: number }"),
    at: "1:10",
    reason: "Types of property 'city' are incompatible. Type 'string' is not assignable to type 'number'.",
  },
  {
    name: "a member that no tag has",
    takes: CITY,
    code: takes("{ city: string; town: string }"),
    at: "1:10",
    reason: "Property 'town' is missing in type '{ city: string; }'",
  },
  {
    name: "a required member that the tags let be left out",
    takes: MONTH,
    code: takes("{ month: number }"),
    at: "1:10",
    reason: "Types of property 'month' are incompatible.",
  },
  {
    name: "a member that is not nullable",
    takes: param('name="city" nullable'),
    code: takes("{ city: string }"),
    at: "1:10",
    reason: "Type 'null' is not assignable to type 'string'.",
  },
  {
    name: "an optional member in the place of a nullable one",
    takes: param('name="city" nullable'),
    code: takes("{ city?: string }"),
    at: "1:10",
    reason: "Type 'null' is not assignable to type 'string | undefined'.",
  },
  {
    name: "fewer choices than there are",
    takes: param('name="scale" enum="celsius,fahrenheit"'),
    code: takes('{ scale: "celsius" }'),
    at: "1:10",
    reason: `Type '"fahrenheit"' is not assignable to type '"celsius"'.`,
  },
  {
    name: "choices of numbers that are texts",
    takes: param('name="size" type="integer" enum="1,2"'),
    code: takes('{ size: "1" | "2" }'),
    at: "1:10",
    reason: "Types of property 'size' are incompatible.",
  },
  {
    name: "an array of other items",
    takes: param('name="tags" type="array" items="string"'),
    code: takes("{ tags: number[] }"),
    at: "1:10",
    reason: "Type 'string[]' is not assignable to type 'number[]'.",
  },
  {
    name: "one item in the place of an array",
    takes: param('name="tags" type="array" items="string"'),
    code: takes("{ tags: string }"),
    at: "1:10",
    reason: "Type 'string[]' is not assignable to type 'string'.",
  },
  {
    name: "a member of another type in an object",
    takes: param('name="place" type="object"', param('name="latitude" type="number"')),
    code: takes("{ place: { latitude: string } }"),
    at: "1:10",
    reason: "The types of 'place.latitude' are incompatible",
  },
  {
    name: "a member too many in the objects of an array",
    takes: param('name="places" type="array" items="object"', param('name="latitude" type="number"')),
    code: takes("{ places: { latitude: number; longitude: number }[] }"),
    at: "1:10",
    reason: "Property 'longitude' is missing",
  },
  {
    name: "a text in the place of all parameters",
    takes: CITY,
    code: takes("string"),
    at: "1:10",
    reason: "Type '{ city: string; }' is not assignable to type 'string'.",
  },
  {
    name: "a record of other values",
    takes: MONTH,
    code: takes("Record<string, string>"),
    at: "1:10",
    reason: "Property 'month' is incompatible with index signature.",
  },
  {
    name: "members where the tool takes nothing",
    takes: "",
    code: takes("{ city: string }"),
    at: "1:10",
    reason: "Property 'city' is missing",
  },
  {
    name: "the default of a parameter in another type",
    takes: param('name="count" type="integer" default="3"'),
    code: takes("{ count: boolean }"),
    at: "1:10",
    reason: "Types of property 'count' are incompatible.",
  },
  {
    name: "a type that stands elsewhere",
    takes: CITY,
    code: "interface Asked { city: boolean }\n\nasync function execute(asked: Asked) { return String(asked.city); }",
    at: "3:16",
    reason: "Type '{ city: string; }' is not assignable to type 'Asked'.",
  },
  {
    name: "an arrow function",
    takes: CITY,
    code: "const execute = async ({ city }: { city: number }) => String(city);",
    at: "1:7",
    reason: "Type 'string' is not assignable to type 'number'.",
  },
  {
    name: "a function behind a generic one",
    takes: CITY,
    code: "const run = <T>(value: T): T => value;\nexport const execute = run(async (params: { city: number }) => String(params.city));",
    at: "2:14",
    reason: "Type 'string' is not assignable to type 'number'.",
  },
  {
    name: "a function behind a text that looks like one",
    takes: CITY,
    code: "const text = `\nfunction execute(x: y) {}`;\nexport const execute = (params: { city: number }) => text + params.city;",
    at: "3:14",
    reason: "Type 'string' is not assignable to type 'number'.",
  },
  {
    name: "something that cannot be called",
    takes: "",
    code: 'const execute = "text";',
    at: "1:7",
    reason:
      "Type 'string' does not satisfy the expected type '(params: Record<string, never>, ctx: ToolContext) => unknown'\nwrite `params: Record<string, never>, ctx: ToolContext`, or change the `<Param>` tags",
  },
  {
    name: "a context that has what there is not",
    takes: "",
    code: "function execute(_: unknown, ctx: { sessionID: string }) { return ctx.sessionID; }",
    at: "1:10",
    reason: "Property 'sessionID' is missing in type 'ToolContext'",
  },
  {
    name: "a schema's member of another type",
    takes: schema(
      '{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":"array","items":{"type":"number"}}},"required":["a"],"additionalProperties":false}',
    ),
    code: takes("{ a: string | null; b?: string[] }"),
    at: "1:10",
    reason: "does not fit the `json schema`",
  },
  {
    name: "a required member beside those of an open schema",
    takes: schema('{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}'),
    code: takes("{ a: string; b?: string; c: number }"),
    at: "1:10",
    reason: "Property 'c' is missing",
  },
  {
    name: "a schema's reference to another type",
    takes: schema(
      '{"type":"object","properties":{"a":{"$ref":"#/$defs/size"}},"required":["a"],"$defs":{"size":{"enum":[1,2]}},"additionalProperties":false}',
    ),
    code: takes('{ a: "1" }'),
    at: "1:10",
    reason: `Type '1 | 2' is not assignable to type '"1"'.`,
  },
  {
    name: "a schema's choice that the type does not take whole",
    takes: schema(
      '{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}},"required":["a"],"additionalProperties":false}',
    ),
    code: takes("{ a: string }"),
    at: "1:10",
    reason: "Type 'string[]' is not assignable to type 'string'.",
  },
  {
    name: "a required member that may be undefined",
    takes: MONTH,
    code: takes("{ month: number | undefined }"),
    at: "1:10",
    reason: "Property 'month' is optional",
  },
];

const fine: readonly (readonly [name: string, takes: string, code: string])[] = [
  [
    "a record of the right values",
    `${CITY}\n${param('name="town" required="false"')}`,
    takes("Record<string, string>"),
  ],
  [
    "a choice that is split in another way",
    schema(
      '{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}},"required":["a"],"additionalProperties":false}',
    ),
    takes("{ a: string | readonly (string | number)[] }"),
  ],
  [
    "anything for what may be anything",
    schema('{"type":"object","properties":{"a":{},"b":{}},"required":["a"],"additionalProperties":false}'),
    takes("{ a: Date | null; b?: string[] }"),
  ],
  ["no parameters at all", CITY, 'function execute() { return ""; }'],
  ["parameters without a type", CITY, "function execute(params) { return params.city; }"],
  ["any", CITY, takes("any")],
  ["unknown", CITY, takes("unknown")],
  ["object", CITY, takes("object")],
  ["a record of unknown values", CITY, takes("Record<string, unknown>")],
  ["members of unknown and any", `${CITY}\n${MONTH}`, takes("{ city: unknown; month?: any }")],
  ["a text for choices", param('name="scale" enum="a,b"'), takes("{ scale: string }")],
  ["a number for an integer", MONTH, takes("{ month?: number }")],
  [
    "an optional member instead of a choice",
    schema(
      '{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}},"required":["a"],"additionalProperties":false}',
    ),
    takes("{ a?: string | string[] }"),
  ],
  [
    "an optional member instead of one that may be anything",
    schema('{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}'),
    takes("{ a?: string }"),
  ],
  ["an optional member that no tag has", CITY, takes("{ city: string; town?: string }")],
  ["a tag that the type lacks", `${CITY}\n${MONTH}`, takes("{ city: string }")],
  ["an optional member that the tags demand", CITY, takes("{ city?: string }")],
  ["a member that is nullable", CITY, takes("{ city: string | null }")],
  [
    "other choices than there are",
    param('name="scale" enum="celsius,fahrenheit"'),
    takes('{ scale: "celsius" | "kelvin" | "fahrenheit" }'),
  ],
  [
    "a pattern of several lines with a comment",
    CITY,
    'export async function execute(\n  // who, and (where:\n  { city = "a:b" }: { city?: string },\n) {\n  return city;\n}'.replace(
      "city = ",
      "city = ",
    ),
  ],
  ["a default that is always there", param('name="n" type="number" default="1"'), takes("{ n: number }")],
  ["a default that is said to be optional", param('name="n" type="number" default="1"'), takes("{ n?: number }")],
  [
    "read-only members and arrays",
    param('name="t" type="array" items="string"'),
    takes("{ readonly t: readonly string[] }"),
  ],
  ["nullable and optional", param('name="c" nullable required="false"'), takes("{ c?: string | null }")],
  ["a nullable object", param('name="o" type="object" nullable', CITY), takes("{ o: { city: string } | null }")],
  ["an intersection", `${CITY}\n${MONTH}`, takes("{ city: string } & { month?: number }")],
  ["a name that is no identifier", param('name="first-name"'), takes('{ "first-name": string }')],
  ["nothing, and a type that says so", "", takes("Record<string, never>")],
  [
    "a union of objects",
    `${CITY}\n${MONTH}`,
    takes("{ city: string; month: number } | { city: string; month?: undefined }"),
  ],
  [
    "a part of the context",
    "",
    "function execute(_: unknown, ctx: { signal: AbortSignal; log(message: string): Promise<void> }) {}",
  ],
  ["a record for an object without members", param('name="o" type="object"'), takes("{ o: Record<string, unknown> }")],
];

/** All in one file, since the compiler takes longer to start than to look at a tool. */
const tools = [
  ...cases.map((one, index) => typedTool(`drift_${index}`, one.takes, one.code)),
  ...fine.map(([, given, code], index) => typedTool(`fine_${index}`, given, code)),
];
const text = agentWith(...tools);
let diagnostics: readonly Diagnostic[] = [];

beforeAll(async () => {
  diagnostics = await checkedFiles({ "agent.mdx": text });
});

/** Those of one tool, with lines counted from the first of its code. */
function ofTool(name: string): readonly Diagnostic[] {
  const start = text.slice(0, text.indexOf("```ts\n", text.indexOf(`name="${name}"`))).split("\n").length;
  const end = text.slice(0, text.indexOf("</Tool>", text.indexOf(`name="${name}"`))).split("\n").length;
  return diagnostics
    .filter(({ line }) => line > start && line < end)
    .map((diagnostic) => ({ ...diagnostic, line: diagnostic.line - start }));
}

describe("the type of `execute` does not fit what the tool declares with", () => {
  test.each(cases.map((one, index) => ({ ...one, index })))("$name", ({ index, at, reason }) => {
    const found = ofTool(`drift_${index}`);
    expect(found.map(({ line, column, rule }) => `${line}:${column} ${rule}`)).toStrictEqual([
      `${at} tool-execute-type`,
    ]);
    expect(found.map(({ message, hint }) => `${message}\n${hint}`).join()).toContain(reason);
  });
});

describe("the type of a tool's parameters may be", () => {
  test.each(fine.map(([name], index) => ({ name, index })))("$name", ({ index }) => {
    expect(ofTool(`fine_${index}`)).toStrictEqual([]);
  });
});

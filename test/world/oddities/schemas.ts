import { isRecord } from "@mdx-ai/base";
import { answerEvents } from "../../support/anthropic-replies.ts";
import type { Body, Expected, Oddity } from "../oddity.ts";
import { call, chat, finish, named, namedStream, refusal } from "../wire-bodies.ts";

type Fields = Readonly<Record<string, unknown>>;

const recordOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A tool as a request has it, in either form. */
function sentTool(
  body: Body | undefined,
  name: string,
): { readonly name: string; readonly schema: Fields } | undefined {
  const tools = listOf(body?.["tools"]).map((tool) => ({ ...recordOf(tool), ...recordOf(recordOf(tool)["function"]) }));
  const tool = tools.find((one) => String(recordOf(one)["name"]).endsWith(name));
  if (tool === undefined) return undefined;
  const { name: wire, parameters, input_schema } = recordOf(tool);
  return { name: String(wire), schema: recordOf(parameters ?? input_schema) };
}

/** Every schema within a schema, itself included. */
function* schemasIn(value: unknown): Iterable<Fields> {
  if (!isRecord(value)) return;
  yield value;
  for (const inner of Object.values(recordOf(value["properties"]))) yield* schemasIn(inner);
  for (const key of ["items", "additionalProperties", "not"]) yield* schemasIn(value[key]);
  for (const key of ["anyOf", "oneOf", "allOf"]) for (const inner of listOf(value[key])) yield* schemasIn(inner);
}

const every = (schema: Fields, holds: (part: Fields) => boolean): boolean => [...schemasIn(schema)].every(holds);

const tool = (inputSchema: unknown, name = "odd"): object => ({ name, description: "Does it", inputSchema });

const LISTED: Expected = { exit: 0, text: "Done.", requests: 1 };

type Row = Omit<Oddity, "replies"> & Partial<Pick<Oddity, "replies">>;

/** What a vendor must be able to read of a tool that is sent. */
const reads = (holds: (schema: Fields) => boolean): Expected => ({
  ...LISTED,
  sent: ([body]) => {
    const found = sentTool(body, "odd");
    return found !== undefined && holds(found.schema);
  },
});

const isObject = (schema: Fields): boolean => schema["type"] === "object" && isRecord(schema["properties"]);
const isFlat = (schema: Fields): boolean =>
  isObject(schema) && !("anyOf" in schema) && !("oneOf" in schema) && !("allOf" in schema);

const NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

const either = {
  ...{ type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
  anyOf: [{ required: ["a"] }, { required: ["b"] }],
};
const tagged = {
  oneOf: [
    { type: "object", properties: { kind: { const: "make" }, text: { type: "string" } }, required: ["kind", "text"] },
    { type: "object", properties: { kind: { const: "drop" }, id: { type: "integer" } }, required: ["kind", "id"] },
  ],
};

const roots: readonly Row[] = (["anthropic", "openai", "responses"] as const).flatMap((wire): readonly Row[] => [
  {
    ...{ name: "`anyOf` beside the properties of the root", wire, tools: [tool(either)] },
    seen: "https://github.com/software-mansion/argent/issues/773",
    expected: reads(isFlat),
  },
  {
    ...{ name: "`oneOf` in place of a type: each variant's parameters are there", wire, tools: [tool(tagged)] },
    seen: "https://github.com/anthropics/claude-code/issues/88049",
    expected: reads((schema) => {
      const names = Object.keys(recordOf(schema["properties"]));
      return isFlat(schema) && ["kind", "text", "id"].every((name) => names.includes(name));
    }),
  },
  {
    ...{ name: "`allOf` of a root", wire },
    seen: "https://github.com/kenn-io/kata/pull/365",
    tools: [tool({ allOf: [{ type: "object", properties: { a: { type: "string" } }, required: ["a"] }] })],
    expected: reads((schema) => isFlat(schema) && "a" in recordOf(schema["properties"])),
  },
  {
    ...{ name: "no properties", wire, tools: [tool({ type: "object" })] },
    seen: "https://github.com/IvanMurzak/Unity-MCP/issues/440",
    expected: reads(isObject),
  },
  {
    ...{ name: "a schema that is null", wire, tools: [tool(null)] },
    seen: "https://github.com/IvanMurzak/Unity-MCP/issues/440",
    expected: reads(isObject),
  },
  {
    ...{ name: "a schema of a dialect alone", wire },
    seen: "https://github.com/kerlenton/mcpsnoop/issues/199",
    tools: [tool({ $schema: "http://json-schema.org/draft-07/schema#" })],
    expected: reads(isObject),
  },
  {
    ...{ name: "PHP: properties as an empty list", wire, tools: [tool({ type: "object", properties: [] })] },
    seen: "https://github.com/cbdb-project/cbdb-online-main-server/pull/879",
    expected: reads(isObject),
  },
  {
    ...{ name: "`required: null`", wire, tools: [tool({ type: "object", properties: {}, required: null })] },
    seen: "https://github.com/anthropics/claude-code/issues/44364",
    expected: reads(
      (schema) => isObject(schema) && (schema["required"] === undefined || Array.isArray(schema["required"])),
    ),
  },
  {
    ...{ name: "`required` among the properties", wire },
    seen: "https://github.com/mastra-ai/mastra/issues/23731",
    tools: [tool({ type: "object", properties: { coin: { type: "string" }, required: ["coin"] } })],
    expected: reads((schema) => isObject(schema) && Object.values(recordOf(schema["properties"])).every(isRecord)),
  },
  {
    ...{ name: "a schema of another type than an object, and a tool beside it", wire },
    seen: "https://github.com/sandialabs/atlas-ui-3/issues/727",
    tools: [tool({ type: "string", description: "the title" }, "bad"), tool({ type: "object", properties: {} })],
    expected: reads(isObject),
  },
  {
    ...{ name: "names of parameters that no vendor takes", wire },
    seen: "https://github.com/diegosouzapw/OmniRoute/issues/13552",
    tools: [
      tool({
        type: "object",
        properties: { $top: { type: "integer" }, "filter[name]": { type: "string" } },
        required: ["$top"],
      }),
    ],
    expected: reads((schema) => {
      const names = Object.keys(recordOf(schema["properties"]));
      return (
        names.length === 2 &&
        names.every((name) => NAME.test(name)) &&
        listOf(schema["required"]).every((name) => names.includes(String(name)))
      );
    }),
  },
]);

/** The name that a parameter has in a request. */
const parameterAt = (body: Body, index: number): string =>
  Object.keys(recordOf(sentTool(body, "odd")?.schema["properties"]))[index] ?? "none";

const arrays: readonly Row[] = (["openai", "responses"] as const).map(
  (wire): Row => ({
    ...{ name: "an array without items", wire },
    seen: "https://github.com/IvanMurzak/Unity-MCP/issues/440",
    tools: [tool({ type: "object", properties: { a: { type: "array" } } })],
    expected: reads((schema) => isRecord(recordOf(recordOf(schema["properties"])["a"])["items"])),
  }),
);
const renamed: readonly Row[] = [
  {
    ...{ name: "a call with a renamed parameter reaches the server under the true name", wire: "anthropic" },
    seen: "https://github.com/diegosouzapw/OmniRoute/issues/13552",
    tools: [tool({ type: "object", properties: { $top: { type: "integer" } }, required: ["$top"] })],
    replies: [
      (body) => {
        const json = [JSON.stringify({ [parameterAt(body, 0)]: 5 })];
        return namedStream(...answerEvents([{ id: "t1", name: sentTool(body, "odd")?.name ?? "none", json }]));
      },
    ],
    expected: { exit: 0, text: "Done.", failed: [], says: ['\\"$top\\":5'] },
  },
  {
    ...{
      name: "what was weakened for a vendor is checked here in full",
      wire: "anthropic",
      tools: [tool(either)],
    },
    seen: "https://github.com/software-mansion/argent/issues/773",
    replies: [
      (body) => namedStream(...answerEvents([{ id: "t1", name: sentTool(body, "odd")?.name ?? "none", json: ["{}"] }])),
    ],
    expected: { exit: 0, text: "Done.", ran: [] },
  },
];

const GEMINI = { wire: "openai", model: "gemini/gemini-test" } as const;

const gemini: readonly Row[] = (
  [
    [
      "`const`",
      "https://github.com/danny-avila/LibreChat/pull/11784",
      { a: { const: "x" } },
      (part) => !("const" in part),
    ],
    [
      "an enum without a type",
      "https://github.com/decolua/9router/issues/359",
      { a: { enum: ["x", "y"] } },
      (part) => !("enum" in part) || part["type"] === "string",
    ],
    [
      "an enum of numbers",
      "https://github.com/thClaws/thClaws/issues/172",
      { a: { type: "integer", enum: [0, 1] } },
      (part) => listOf(part["enum"]).every((value) => typeof value === "string"),
    ],
    [
      "a list of types",
      "https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099",
      { a: { type: ["string", "null"] } },
      (part) => !Array.isArray(part["type"]),
    ],
    [
      "a type or null",
      "https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099",
      { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
      (part) => part["type"] !== "null" && !Array.isArray(part["type"]),
    ],
    [
      "a format that it does not know",
      "https://github.com/CherryHQ/cherry-studio/pull/4153",
      { a: { type: "string", format: "uri" } },
      (part) => part["format"] === undefined || ["enum", "date-time"].includes(String(part["format"])),
    ],
    [
      "`uniqueItems`",
      "https://github.com/router-for-me/CLIProxyAPI/pull/2142",
      { a: { type: "array", items: { type: "string" }, uniqueItems: true } },
      (part) => !("uniqueItems" in part),
    ],
    [
      "`propertyNames`",
      "https://github.com/thClaws/thClaws/issues/172",
      { a: { type: "object", propertyNames: { pattern: "^a" }, additionalProperties: { type: "string" } } },
      (part) => !("propertyNames" in part),
    ],
    [
      "`exclusiveMinimum`",
      "https://github.com/thClaws/thClaws/issues/172",
      { a: { type: "number", exclusiveMinimum: 0 } },
      (part) => !("exclusiveMinimum" in part),
    ],
    [
      "an array without items",
      "https://github.com/IvanMurzak/Unity-MCP/issues/440",
      { a: { type: "array" } },
      (part) => part["type"] !== "array" || isRecord(part["items"]),
    ],
    [
      "an empty enum",
      "https://github.com/elastic/kibana/pull/286302",
      { a: { type: "string", enum: [] } },
      (part) => !("enum" in part) || listOf(part["enum"]).length > 0,
    ],
  ] as const satisfies readonly (readonly [string, string, object, (part: Fields) => boolean])[]
).map(
  ([name, seen, properties, holds]): Row => ({
    ...GEMINI,
    ...{ name: `Gemini: ${name}`, seen, tools: [tool({ type: "object", properties })] },
    expected: reads((schema) => isObject(schema) && every(schema, holds)),
  }),
);

const references: readonly Row[] = [
  {
    ...{ ...GEMINI, name: "Gemini: `$ref` with neighbours" },
    seen: "https://github.com/diegosouzapw/OmniRoute/issues/13552",
    tools: [
      tool({
        ...{ type: "object", properties: { a: { $ref: "#/$defs/A", description: "An A" } } },
        $defs: { A: { type: "object", properties: { b: { type: "string" } } } },
      }),
    ],
    expected: reads((schema) => {
      const text = JSON.stringify(schema);
      return !text.includes("$ref") && !text.includes("$defs") && text.includes('"b"');
    }),
  },
  {
    ...{ ...GEMINI, name: "Gemini: a `$ref` to itself comes to an end" },
    seen: "https://github.com/diegosouzapw/OmniRoute/issues/13552",
    tools: [
      tool({
        ...{ type: "object", properties: { a: { $ref: "#/$defs/A" } } },
        $defs: { A: { type: "object", properties: { next: { $ref: "#/$defs/A" } } } },
      }),
    ],
    expected: reads((schema) => !JSON.stringify(schema).includes("$ref")),
  },
];

const good = tool({ type: "object", properties: {} }, "good");

const twelve: readonly string[] = Array.from({ length: 12 }, (_, index) => `bad${index + 1}`);

const leftOut: readonly Row[] = [
  {
    ...{ name: "Anthropic refuses a tool by its number: it is left out by its name", wire: "anthropic" },
    seen: "https://github.com/anthropics/claude-code/issues/5319",
    tools: [good, tool({ type: "object", properties: { a: { type: "string", pattern: "(?<x>" } } })],
    replies: [
      (body) => {
        const index = listOf(body["tools"]).findIndex((one) => String(recordOf(one)["name"]).endsWith("odd"));
        return refusal(400, {
          type: "error",
          error: {
            type: "invalid_request_error",
            message: `tools.${index}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`,
          },
        });
      },
    ],
    expected: {
      ...{ exit: 0, text: "Done.", requests: 2, says: ["odd"] },
      sent: ([, second]) => sentTool(second, "odd") === undefined && sentTool(second, "good") !== undefined,
    },
  },
  {
    ...{ name: "twelve tools are refused one after the other: the prompt goes on", wire: "anthropic" },
    seen: "https://github.com/anthropics/claude-code/issues/5319",
    tools: [good, ...twelve.map((name) => tool({ type: "object", properties: { a: { pattern: "(?<x>" } } }, name))],
    replies: twelve.map(() => (body: Body) => {
      const index = listOf(body["tools"]).findIndex((one) => String(recordOf(one)["name"]).includes("odd_bad"));
      const message = `tools.${index}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`;
      return refusal(400, { type: "error", error: { type: "invalid_request_error", message } });
    }),
    expected: {
      ...{ exit: 0, text: "Done.", requests: 13, says: ["odd_bad1", "odd_bad12"] },
      sent: (bodies) => {
        const tools = JSON.stringify(bodies.at(-1)?.["tools"]);
        return !tools.includes("odd_bad") && tools.includes("good");
      },
    },
  },
  {
    ...{ name: "OpenAI refuses a tool by its name", wire: "responses" },
    seen: "https://github.com/cbdb-project/cbdb-online-main-server/pull/879",
    tools: [good, tool({ type: "object", properties: { a: { type: "string", pattern: "(?<x>" } } })],
    replies: [
      (body) =>
        refusal(400, {
          error: {
            message: `Invalid schema for function '${sentTool(body, "odd")?.name}': [] is not of type 'object'.`,
            type: "invalid_request_error",
            param: "tools[4].parameters",
            code: "invalid_function_parameters",
          },
        }),
    ],
    expected: {
      ...{ exit: 0, text: "Done.", requests: 2, says: ["odd"] },
      sent: ([, second]) => sentTool(second, "odd") === undefined && sentTool(second, "good") !== undefined,
    },
  },
  {
    ...{ ...GEMINI, name: "Gemini refuses a tool by its number" },
    seen: "https://github.com/zed-industries/zed/issues/44875",
    tools: [good, tool({ type: "object", properties: { a: { type: "string", pattern: "(?<x>" } } })],
    replies: [
      (body) => {
        const index = listOf(body["tools"]).findIndex((one) =>
          String(recordOf(recordOf(one)["function"])["name"]).endsWith("odd"),
        );
        const message = `Invalid JSON payload received. Unknown name "pattern" at 'tools[0].function_declarations[${index}].parameters.properties[0].value': Cannot find field.`;
        return refusal(400, [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }]);
      },
    ],
    expected: { exit: 0, text: "Done.", requests: 2, sent: ([, second]) => sentTool(second, "good") !== undefined },
  },
];

const used: readonly Row[] = [
  {
    ...{ name: "a tool with a root of `oneOf` can be called", wire: "openai", tools: [tool(tagged)] },
    seen: "https://github.com/anthropics/claude-code/issues/88049",
    replies: [
      (body) =>
        chat(
          call(0, named("c1", sentTool(body, "odd")?.name ?? "none", '{"kind":"make","text":"t"}')),
          finish("tool_calls"),
        ),
    ],
    expected: { exit: 0, failed: [], says: ['\\"kind\\":\\"make\\"'] },
  },
];

/** Tools of MCP servers, and what vendors take of them. */
export const oddSchemas: readonly Oddity[] = [
  ...roots,
  ...arrays,
  ...renamed,
  ...gemini,
  ...references,
  ...leftOut,
  ...used,
].map((row) => ({ replies: [], ...row }));

import { describe, expect, test } from "bun:test";
import { agentDirectory, toolText } from "../../../../test/support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../../../test/support/agent-files.ts";
import { endOf, eventsOf, modelRequest, toolSchema } from "../../../../test/support/model-request.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { wireServer, wires } from "../../../../test/support/wire-server.ts";
import { refusedTools } from "../adaptations/refused-tools.ts";

const tools = ["read_file", "list_items", "view_graph", "update-event"].map((name) =>
  toolSchema(name, "Does it", { a: "string" }),
);

/** What servers said of a tool that they refuse, and the tools that it means. */
const refusals: readonly (readonly [said: string, field: string | undefined, ...names: string[]])[] = [
  [
    "invalid_request_error tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    undefined,
    "list_items",
  ],
  [
    "tools.2.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    undefined,
    "view_graph",
  ],
  [
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
    undefined,
    "read_file",
  ],
  [
    "The value at toolConfig.tools.3.toolSpec.inputSchema.json.type must be one of the following: object.",
    undefined,
    "update-event",
  ],
  [
    "invalid_function_parameters Invalid schema for function 'update-event': schema must have type 'object' and not have 'oneOf'",
    "tools[3].function.parameters",
    "update-event",
  ],
  [
    "Invalid schema for function 'list_items': In context=('properties', 'a'), array schema missing items.",
    "tools[421].parameters",
    "list_items",
  ],
  [
    "INVALID_ARGUMENT * GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[a].enum[3]: cannot be empty * GenerateContentRequest.tools[0].function_declarations[2].parameters.properties[b].items: missing field",
    undefined,
    "list_items",
    "view_graph",
  ],
  [
    "GenerateContentRequest.tools[3].function_declarations[0].parameters.properties[action].enum[3]: cannot be empty",
    undefined,
    "update-event",
  ],
  [
    "Invalid JSON payload received. Unknown name \"const\" at 'tools[0].functionDeclarations[0].parameters': Cannot find field.",
    undefined,
    "read_file",
  ],
  [
    "Unable to submit request because `view_graph` functionDeclaration `parameters.keyValueType` schema didn't specify the schema type field.",
    undefined,
    "view_graph",
  ],
  [
    "Unable to submit request because view_graph functionDeclaration parameters.keyValueType schema didn't specify the schema type field.",
    undefined,
    "view_graph",
  ],
  ["Invalid tool definition: view_graph: missing properties", undefined, "view_graph"],
  ["tool update-event: unsupported keyword anyOf in schema", undefined, "update-event"],
  ["failed to parse grammar for tool view_graph", undefined, "view_graph"],
  ["view_graph: invalid parameter schema", undefined, "view_graph"],
  ["[{'loc': ('body', 'tools', 2, 'function', 'parameters'), 'msg': 'bad schema'}]", undefined, "view_graph"],
  ["schema error at #/tools/2/function/parameters", undefined, "view_graph"],
  ["Invalid tools: [2].function.parameters.properties.x: type must be specified", undefined, "view_graph"],
  [
    "invalid JSON schema for tool view_graph, tools[2].function.parameters: 'required' present but 'properties' is missing",
    "tool view_graph, tools[2].function.parameters",
    "view_graph",
  ],
  ["tools.1.function.parameters: Input should be a valid dictionary", "tools.1.function.parameters", "list_items"],
  ["tools[3].***.parameters must be valid JSON (line 1, column 1)", undefined, "update-event"],
  ["Invalid schema for tool list_items: unsupported keyword", undefined, "list_items"],
];

/** Refusals that name no tool, or that are about something else. */
const others: readonly string[] = [
  "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'root': when using anyOf, type should be defined in anyOf items>",
  "JSON schema conversion failed: Pattern must start with '^' and end with '$'",
  "tool call validation failed: parameters for tool list_items did not match schema: errors: [missing properties: 'a']",
  "tool_use_failed Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
  "attempted to call tool 'list_items' which was not in request.tools",
  "Invalid schema for function 'somebody_else': schema must have type 'object'",
  "messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1",
  "tools.1.cache_control.ttl: parameters are not allowed",
  "Unsupported parameter: 'max_tokens' is not supported with this model.",
  "prompt is too long: 200000 tokens > 199999 maximum",
];

describe("a refusal of a tool", () => {
  test.each(refusals)("%s", (said, field, ...names) => {
    const adaptation = refusedTools();
    const request = modelRequest("Hi", { tools });
    const change = adaptation.learn({ status: 400, said, field, isTooLong: false, request, body: {}, url: "" });
    for (const name of names) expect(change).toContain(name);
    const left = adaptation.request?.(request).tools.map(({ name }) => name);
    expect(left).toStrictEqual(tools.map(({ name }) => name).filter((name) => !names.includes(name)));
  });

  test.each(others)("is not: %s", (said) => {
    const adaptation = refusedTools();
    const request = modelRequest("Hi", { tools });
    expect(
      adaptation.learn({ status: 400, said, field: undefined, isTooLong: false, request, body: {}, url: "" }),
    ).toBeUndefined();
    expect(adaptation.request?.(request)).toBe(request);
  });

  test("counts for that schema alone: with another one the tool is tried again", () => {
    const adaptation = refusedTools();
    const request = modelRequest("Hi", { tools });
    adaptation.learn({
      status: 400,
      said: "tools.1.custom.input_schema: x",
      field: undefined,
      isTooLong: false,
      request,
      body: {},
      url: "",
    });
    const same = modelRequest("Hi", { tools: structuredClone(tools) });
    expect(adaptation.request?.(same).tools).toHaveLength(3);
    const changed = modelRequest("Hi", { tools: [toolSchema("list_items", "Does it", { b: "string" })] });
    expect(adaptation.request?.(changed)).toBe(changed);
  });
});

const refusal = { status: 400, message: "tools[1]: Invalid schema for function 'two'" };

test.each(wires)("over %s a refused tool is left out by name, and the prompt goes on with a warning", async (wire) => {
  using server = wireServer(wire, refusal, { parts: [{ text: ["Done"] }] });
  const agent = `${MINIMAL_AGENT}${toolText("one", "return 1")}${toolText("two", "return 2")}`;
  using directory = agentDirectory({ "agent.mdx": agent });
  const opened = await openScriptAgent(directory.path, [], { model: await server.open(), retries: 0 });
  const events = await Array.fromAsync(opened.session().prompt("go"));
  await opened.close();
  expect(events.filter(({ type }) => type === "request_adapted")).toMatchObject([
    { change: expect.stringContaining("the tool two is left out"), reason: expect.stringContaining("Invalid schema") },
  ]);
  const [before = "", after = ""] = server.requests.map(({ text }) => text);
  expect(before).toContain('"name":"two"');
  expect(after).not.toContain('"name":"two"');
  expect(after).toContain('"name":"one"');
});

test("a refusal that names no tool shows the server's words", async () => {
  const message = "tools.function.parameters is not a valid schema, details: <At path 'root': type is not defined>";
  using server = wireServer("openai", { status: 400, message });
  const model = await server.open();
  const end = endOf(await eventsOf(model, modelRequest("Hi", { tools })));
  expect(end.message.errorMessage).toContain(message);
  expect(end.message.failure?.adapted).toBeUndefined();
});

import { describe, expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "@mdx-ai/base";
import type { AgentTool, ForeignTool } from "@mdx-ai/loop";
import type { ToolCall } from "@mdx-ai/models";
import { builtinTools, toolRegistry } from "@mdx-ai/tools";

const surroundings = { agentDir: "/", cwd: "/", log: async (): Promise<void> => {} };

const BUILTINS = builtinTools({ environment: {} }, [
  ...(["bash", "read_file", "write_file", "edit_file", "grep", "glob", "list_files"] as const),
]);

const inline = (parameters: JsonObject, name = "tool"): AgentTool => ({
  ...{ name, description: "", parameters },
  execute: async () => "",
});

const ofServer = (parameters: JsonObject, name = "mcp.there.tool", server = "there"): ForeignTool => ({
  ...inline(parameters, name),
  ...{ takesOtherNames: true, server, fingerprint: "f" },
});

const call = (name: string, args: JsonObject, more: Partial<ToolCall> = {}): ToolCall => ({
  ...{ type: "toolCall", id: "c", name, arguments: args },
  ...more,
});

/** What a call means, and why it is refused then. */
async function understood(
  tools: readonly AgentTool[],
  given: ToolCall,
): Promise<{ readonly call: ToolCall; readonly refusal: string | undefined }> {
  const before = JSON.stringify(given);
  const registry = toolRegistry(tools, surroundings);
  const found = await registry.understood(given);
  expect(JSON.stringify(given)).toBe(before);
  // What is journaled is understood once more by a later process.
  expect(await registry.understood(found)).toEqual(found);
  return { call: found, refusal: registry.refusal(found) };
}

const wire = (tool: AgentTool): string => tool.name.replaceAll(".", "_");

const schema = (properties: JsonObject, ...required: readonly string[]): JsonObject => ({
  ...{ type: "object", properties },
  ...(required.length > 0 && { required }),
});

const INTEGER = { type: "integer" };
const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };
const ITEM = schema({ id: INTEGER, note: TEXT }, "id");
const NULLABLE = { anyOf: [INTEGER, { type: "null" }] };

describe("a value that a schema refuses means the one that fits", () => {
  const cases: readonly [title: string, parameter: JsonObject, given: JsonValue, meant: JsonValue | undefined][] = [
    ["a whole number as a text", INTEGER, "20", 20],
    ["a negative one", INTEGER, " -3 ", -3],
    ["one with a fraction of nothing", INTEGER, "20.0", 20],
    ["a number as a text", { type: "number" }, "2.5e-1", 0.25],
    ["true as a text", { type: "boolean" }, "true", true],
    ["False of Python", { type: "boolean" }, "False", false],
    ["a number for a text", TEXT, 42, "42"],
    ["true for a text", TEXT, true, "true"],
    ["JSON for a list", TEXTS, '["a", "b"]', ["a", "b"]],
    ["JSON for an object", ITEM, '{"id": "7"}', { id: 7 }],
    ["JSON for a list of objects", { type: "array", items: ITEM }, '[{"id":1},{"id":"2"}]', [{ id: 1 }, { id: 2 }]],
    ["one object for a list", { type: "array", items: ITEM }, { id: 1 }, [{ id: 1 }]],
    ["JSON of one object for a list", { type: "array", items: ITEM }, '{"id":1}', [{ id: 1 }]],
    ["one text for a list", TEXTS, "a", ["a"]],
    ["one number for a list", { type: "array", items: INTEGER }, 3, [3]],
    ["one number as a text for a list", { type: "array", items: INTEGER }, "3", [3]],
    ["a list of numbers as texts", { type: "array", items: INTEGER }, ["1", 2, "3"], [1, 2, 3]],
    ["a list of one for a text", TEXT, ["a"], "a"],
    ["null for what may be left out", INTEGER, null, undefined],
    ["null for a list", TEXTS, null, undefined],
    ["an empty text for a list", TEXTS, "", undefined],
    ["null as a text", INTEGER, "null", undefined],
    ["null as a text where null is fine", NULLABLE, "null", null],
    ["a number as a text where null is fine", NULLABLE, "5", 5],
    ["a choice in another case", { enum: ["lines", "count_all"] }, "Count-All", "count_all"],
    ["a choice that is a number", { enum: [1, 2] }, "2", 2],
    ["null within an object", ITEM, { id: 1, note: null }, { id: 1 }],
    ["null within objects of a list", { type: "array", items: ITEM }, [{ id: "1", note: null }], [{ id: 1 }]],
  ];
  for (const [title, parameter, given, meant] of cases) {
    test.each([inline(schema({ x: parameter })), ofServer(schema({ x: parameter }))])(`${title}: %p`, async (tool) => {
      const found = await understood([tool], call(wire(tool), { x: given }));
      expect(found.call.arguments).toEqual(meant === undefined ? {} : { x: meant });
      expect(found.refusal).toBeUndefined();
    });
  }

  test("by references, too, and with defaults for what was null", async () => {
    const parameters = {
      ...schema({ item: { $ref: "#/$defs/item" }, unit: { enum: ["C", "F"], default: "C" } }, "item", "unit"),
      $defs: { item: ITEM },
    };
    const found = await understood([inline(parameters)], call("tool", { item: '{"id":"1"}', unit: null }));
    expect(found).toEqual({ call: call("tool", { item: { id: 1 } }), refusal: undefined });
  });
});

describe("a value stays", () => {
  const cases: readonly [title: string, parameter: JsonObject, given: JsonValue][] = [
    ["that fits as a text", TEXT, "20"],
    ["that fits as a text of JSON", TEXT, '{"a":1}'],
    ["that fits one of several", { anyOf: [TEXT, INTEGER] }, "20"],
    ["that may be null", { type: ["string", "null"] }, null],
    ["of any type", {}, "20"],
    ["that may mean two things", { type: ["integer", "array"], items: TEXT }, ["x", "y"]],
  ];
  test.each(cases)("%s", async (_title, parameter, given) => {
    const one = call("tool", { x: given });
    const found = await understood([inline(schema({ x: parameter }))], one);
    expect([found.call === one, found.refusal]).toEqual([true, undefined]);
  });

  const refused: readonly [title: string, parameter: JsonObject, given: JsonValue, reason: string][] = [
    ["null for what is required", INTEGER, null, 'parameter "x" must be integer, not null'],
    ["a fraction for a text, whose zeros may be lost", TEXT, 3.1, 'parameter "x" must be string'],
    ["texts that may be several", TEXTS, "a, b", 'parameter "x" must be array'],
    ["a text with words for a number", INTEGER, "20 lines", 'parameter "x" must be integer'],
    ["a number with leading zeros", INTEGER, "007", 'parameter "x" must be integer'],
    ["a number that loses digits", INTEGER, "12345678901234567890", 'parameter "x" must be integer'],
    ["a fraction for a whole number", INTEGER, "1.5", 'parameter "x" must be integer'],
    ["an object for a text", TEXT, { a: 1 }, 'parameter "x" must be string'],
    ["yes for true", { type: "boolean" }, "yes", 'parameter "x" must be boolean'],
    ["no JSON for a list", { type: "array", items: ITEM }, "[{]", 'parameter "x" must be array'],
    ["what two alternatives would take", { anyOf: [INTEGER, { type: "boolean" }] }, ["x", 1], 'parameter "x" must be'],
  ];
  test.each(refused)("and is refused: %s", async (_title, parameter, given, reason) => {
    const one = call("tool", { x: given });
    const found = await understood([inline(schema({ x: parameter }, "x"))], one);
    expect(found.call).toBe(one);
    expect(found.refusal).toContain(reason);
  });
});

describe("arguments as a whole", () => {
  const parameters = schema({ path: TEXT, n: INTEGER }, "path");
  test.each([
    { arguments: { path: "a" } },
    { input: { path: "a" } },
    { parameters: '{"path":"a"}' },
    { name: "tool", arguments: { args: { path: "a" } } },
  ])("may be in one more object: %j", async (given) => {
    for (const tool of [inline(parameters), ofServer(parameters)]) {
      const found = await understood([tool], call(wire(tool), given));
      expect([found.call.arguments, found.refusal]).toEqual([{ path: "a" }, undefined]);
    }
  });

  test("stay where the schema has such a parameter, or takes any", async () => {
    const declared = inline(schema({ input: { type: "object" } }));
    const any = ofServer(schema({ path: TEXT }));
    for (const tool of [declared, any]) {
      const one = call(wire(tool), { input: { path: "a" } });
      expect((await understood([tool], one)).call).toBe(one);
    }
  });

  test.each([
    ['"{\\"path\\": \\"a\\"}"', { path: "a" }],
    ['[{"path": "a"}]', { path: "a" }],
    ["null", {}],
    ['""', {}],
  ])("may be %s", async (malformed, meant) => {
    const found = await understood([inline(schema({ path: TEXT }))], call("tool", {}, { malformed }));
    expect(found).toEqual({ call: call("tool", meant), refusal: undefined });
  });

  test.each(['{"path": "a"', '"text"', "[1, 2]", '[{"path":"a"},{"path":"b"}]', "5"])(
    "are not %s",
    async (malformed) => {
      const found = await understood([inline(parameters)], call("tool", {}, { malformed }));
      expect([found.call.malformed, found.refusal]).toEqual([malformed, expect.stringContaining("not a JSON object")]);
    },
  );

  test("are not nested deeper than can be written again", async () => {
    const deep = `${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}`;
    const [tool, list] = [inline(schema({ path: TEXT })), inline(schema({ items: { type: "array" } }), "list")];
    for (const malformed of [deep, `[${deep}]`, JSON.stringify(deep)]) {
      const found = await understood([tool], call("tool", {}, { malformed }));
      expect(found.call.malformed).toBe(malformed);
      expect(found.refusal).toContain(malformed === deep ? "nested too deeply" : "not a JSON object");
    }
    const wrapped = await understood([tool], call("tool", { input: deep }));
    expect(wrapped).toEqual({ call: call("tool", { input: deep }), refusal: expect.any(String) });
    const items = `${"[".repeat(60_000)}${"]".repeat(60_000)}`;
    const given = await understood([list], call("list", { items }));
    expect(JSON.stringify(given.call.arguments).length).toBeLessThan(130_000);
    const search = await understood([list], call("list", { items: "[[1]]" }));
    expect(search.call.arguments).toEqual({ items: [[1]] });
  });

  test("of a server keep the names that its schema does not mention", async () => {
    const found = await understood([ofServer(parameters)], call("mcp_there_tool", { path: 5, N: "1", other: null }));
    expect(found).toEqual({ call: call("mcp_there_tool", { path: "5", N: "1", other: null }), refusal: undefined });
    const closed = ofServer({ ...parameters, additionalProperties: false });
    const shut = await understood([closed], call("mcp_there_tool", { path: "a", other: null, more: 1 }));
    expect(shut.call.arguments).toEqual({ path: "a", more: 1 });
    expect(shut.refusal).toContain('parameter "more" is unknown');
  });

  const EITHER = { ...schema({ a: TEXT, b: TEXT }), anyOf: [{ required: ["a"] }, { required: ["b"] }] };
  test.each<[title: string, parameters: JsonObject, given: JsonObject, refusal: string | undefined]>([
    ["an alternative at the root", EITHER, {}, 'parameter "a" is missing'],
    ["one of the alternatives", EITHER, { b: "x" }, undefined],
    ["a missing parameter", schema({ a: TEXT }, "a"), {}, 'parameter "a" is missing'],
    ["one that has a default", schema({ a: { ...TEXT, default: "x" } }, "a"), {}, undefined],
    ["a choice that is none", schema({ a: { enum: ["x", "y"] } }), { a: "z" }, 'must be one of ["x","y"]'],
    ["a limit", schema({ a: { type: "integer", maximum: 5 } }), { a: 6 }, "must be at most 5"],
    [
      "types of other languages",
      schema({ a: { type: "int" }, b: { type: ["str", "null"] } }),
      { a: "x", b: 1 },
      undefined,
    ],
    [
      "a pattern of another language",
      schema({ a: { pattern: "(?i)x" }, b: TEXT }, "b"),
      {},
      'parameter "b" is missing',
    ],
    ["formats", schema({ a: { type: "string", format: "date-time" } }), { a: "2026-01-01" }, undefined],
    [
      "formats that exclude each other",
      schema({ a: { oneOf: [{ format: "date" }, { format: "uri" }] } }),
      { a: "x" },
      undefined,
    ],
    ["a format that is excluded", schema({ a: { not: { format: "uri" } } }), { a: "x" }, undefined],
    ["null by the word of OpenAPI", schema({ a: { type: "string", nullable: true } }, "a"), { a: null }, undefined],
    [
      "parameters with the names of keywords",
      schema({ type: TEXT, format: INTEGER }, "format"),
      { type: "x" },
      '"format" is missing',
    ],
    ["a reference that leads nowhere", schema({ a: { $ref: "#/nowhere" } }, "a"), {}, undefined],
    [
      "a list of `items`",
      schema({ a: { type: "array", items: [TEXT, INTEGER] } }),
      { a: ["x", "y"] },
      '"a[1]" must be integer',
    ],
  ])("of a server are checked here: %s", async (_title, parameters, given, refusal) => {
    const found = await understood([ofServer(parameters)], call("mcp_there_tool", given));
    expect(found.refusal ?? "").toEqual(refusal === undefined ? "" : expect.stringContaining(refusal));
    expect(found.call.arguments).toEqual(given);
  });

  test("have the members of the one missing object within it", async () => {
    const place = schema({ lat: { type: "number" }, lon: { type: "number" } }, "lat", "lon");
    const one = inline(schema({ place, unit: TEXT }, "place"));
    const found = await understood([one], call("tool", { unit: "m", lat: "1.5", lon: 2 }));
    expect(found).toEqual({ call: call("tool", { unit: "m", place: { lat: 1.5, lon: 2 } }), refusal: undefined });
    const two = inline(schema({ from: place, to: place }, "from", "to"));
    expect((await understood([two], call("tool", { lat: 1, lon: 2 }))).refusal).toContain('parameter "lat" is unknown');
  });

  test("of a schema that cannot be used stay as they are", async () => {
    const one = call("mcp_there_tool", { x: "1" });
    expect((await understood([ofServer({ $ref: "#/nowhere" })], one)).call).toBe(one);
  });

  test("keep names that objects have by themselves", async () => {
    const given: JsonObject = JSON.parse('{"__proto__": {"path": "b"}, "constructor": "1", "n": "1", "path": "a"}');
    const found = await understood([inline({ ...parameters, additionalProperties: true })], call("tool", given));
    expect(JSON.stringify(found.call.arguments)).toBe('{"__proto__":{"path":"b"},"constructor":"1","n":1,"path":"a"}');
  });

  test.each([
    [900, 1],
    [5_000, "1"],
  ])("with %d slips are read in a moment; so many more are no slips", async (length, meant) => {
    const list = { type: "array", items: INTEGER };
    const given = Array.from({ length }, () => "1");
    const begun = performance.now();
    const found = await toolRegistry([inline(schema({ list }))], surroundings).understood(
      call("tool", { list: given }),
    );
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(JSON.stringify(found.arguments["list"])).toBe(JSON.stringify(given.map(() => meant)));
  });
});

describe("the builtin tools know the names of other programs", () => {
  const EDITS = { path: "a", edits: [{ old: "x", new: "y" }] };
  const cases: readonly [name: string, given: JsonObject, meant: JsonObject][] = [
    ["read_file", { file_path: "a", offset: null, limit: null }, { path: "a" }],
    ["read_file", { filePath: "a", startLine: "3" }, { path: "a", offset: 3 }],
    ["read_file", { filename: "a" }, { path: "a" }],
    ["read_file", { path: null, file: "a" }, { path: "a" }],
    ["read_file", { path: "a", file_path: "a" }, { path: "a" }],
    ["write_file", { FilePath: "a", contents: "x" }, { path: "a", content: "x" }],
    ["write_file", { command: "create", path: "a", file_text: "x" }, { path: "a", content: "x" }],
    ["edit_file", { path: "a", edits: '[{"old":"x","new":"y"}]' }, EDITS],
    ["edit_file", { path: "a", edits: { old: "x", new: "y" } }, EDITS],
    ["edit_file", { path: "a", edits: '{"oldText":"x","newText":"y"}' }, EDITS],
    ["edit_file", { path: "a", edits: [{ old_string: "x", new_string: "y" }] }, EDITS],
    ["edit_file", { filePath: "a", oldText: "x", newText: "y" }, EDITS],
    ["edit_file", { path: "a", old_str: "x", new_str: "y", command: "str_replace" }, EDITS],
    ["edit_file", { path: "a", old: "x", new: "y" }, EDITS],
    [
      "edit_file",
      { file_path: "a", instruction: "do", old_string: "x", new_string: "y", expected_replacements: 1 },
      EDITS,
    ],
    ["edit_file", { path: "a", edits: [{ old_string: "x", new_string: "y", expected_replacements: 1 }] }, EDITS],
    [
      "edit_file",
      { file_path: "a", old_string: "x", new_string: "y", replace_all: "true" },
      { path: "a", edits: [{ old: "x", new: "y", all: true }] },
    ],
    ["bash", { cmd: "ls", description: "List", timeout_seconds: "5" }, { command: "ls", timeout: 5 }],
    ["bash", { command: ["git", "log", "--format=%s x"] }, { command: "git log '--format=%s x'" }],
    ["bash", { command: ["bash", "-lc", "ls | wc"] }, { command: "ls | wc" }],
    ["bash", { command: ["ls"] }, { command: "ls" }],
    ["bash", { command: "ls", run_in_background: false }, { command: "ls" }],
    ["grep", { query: "x", include: "*.ts", "-i": true }, { pattern: "x", glob: "*.ts", ignore_case: true }],
    ["grep", { regex: "x", path: "", "-n": true, ignoreCase: "true" }, { pattern: "x", path: "", ignore_case: true }],
    ["glob", { glob_pattern: "*", directory: "a" }, { pattern: "*", path: "a" }],
    ["list_files", { dir: "sub" }, { path: "sub" }],
    ["list_files", { directory: "sub", random: null }, { path: "sub" }],
  ];
  test.each(cases)("%s %j", async (name, given, meant) => {
    expect(await understood(BUILTINS, call(name, given))).toEqual({ call: call(name, meant), refusal: undefined });
  });

  const refused: readonly [name: string, given: JsonObject, reason: string][] = [
    ["bash", { command: "ls", timeout: "60s" }, 'parameter "timeout" must be number of seconds, not string'],
    ["bash", { command: "ls", run_in_background: true }, 'parameter "run_in_background" is unknown'],
    [
      "edit_file",
      { path: "a", edits: [{ old: "x", new: "y", expected_replacements: 3 }] },
      'parameter "edits[0].expected_replacements" is unknown',
    ],
    ["read_file", { path: "a", file_path: "b" }, '"file_path" is another name of "path", and their values differ'],
    ["read_file", { file_path: "a", filename: "b" }, "is another name of"],
    ["read_file", { path: "a", ofset: 3 }, 'parameter "ofset" is unknown; did you mean "offset"?'],
    ["read_file", { path: "a", end_line: 3 }, 'parameter "end_line" is unknown; available: path, offset, limit'],
    ["read_file", { path: "a", offset: -1 }, 'parameter "offset" must be at least 0, not -1'],
    ["list_files", { paht: "sub" }, 'parameter "paht" is unknown; did you mean "path"? Example: list_files {"path":'],
    ["edit_file", { path: "a", edits: [{ old: "x", new: "y", al: true }] }, 'did you mean "all"?'],
    ["edit_file", { path: "a", edits: [{ old: "x", new: "y" }], old_string: "z" }, '"old_string" is unknown'],
    ["edit_file", { path: "a", command: "view" }, 'parameter "command" is unknown'],
    ["edit_file", { path: "a" }, 'Example: edit_file {"path":"notes.md","edits":[{"old":'],
    ["bash", { command: "ls", timeout_ms: 5 }, 'parameter "timeout_ms" is unknown; did you mean "timeout"?'],
    ["bash", { command: ["ls -a", "pwd"] }, 'parameter "command" must be string, not array'],
    ["bash", { command: ["ls", "&&", "pwd"] }, 'parameter "command" must be string, not array'],
    [
      "bash",
      { command: "ls", timeout: 60_000 },
      "at most 3600 seconds, not 60000 (60000 looks like milliseconds: use 60)",
    ],
    ["bash", { command: "ls", timeout: "7200" }, "at most 3600 seconds, not 7200. Example: bash {"],
    ["bash", { command: "ls", timeout: 0 }, "must be above 0 seconds, not 0"],
    ["bash", { command: "ls", constructor: 1 }, 'parameter "constructor" is unknown; available: command, timeout'],
    ["grep", { pattern: "x", case_sensitive: true }, 'parameter "case_sensitive" is unknown'],
  ];
  test.each(refused)("%s %j is refused", async (name, given, reason) => {
    expect((await understood(BUILTINS, call(name, given))).refusal).toContain(reason);
  });

  test("and show a right call that would be accepted", async () => {
    for (const tool of builtinTools({ environment: {} }, ["fs.list", "fs.read", "fs.write", "shell.exec"]).concat(
      BUILTINS,
    )) {
      const { refusal = "" } = await understood([tool], call(wire(tool), { nonsense: 1 }));
      const example = refusal.split(` Example: ${wire(tool)} `)[1] ?? "";
      expect((await understood([tool], call(wire(tool), JSON.parse(example)))).refusal).toBeUndefined();
    }
  });

  test("that each have exactly one name", () => {
    for (const { parameterHabits: { names = {} } = {}, parameters } of BUILTINS) {
      const all = Object.entries(names).filter(([name]) => !name.includes("["));
      const own = new Set(Object.keys(Object(parameters["properties"])));
      const others = all.flatMap(([name, list]) => list.map((other) => [name, other]));
      expect(all.filter(([name]) => !own.has(name))).toEqual([]);
      const homes = Map.groupBy(others, ([, other]) => other);
      expect([...homes].filter(([, list]) => new Set(list.map(([name]) => name)).size > 1)).toEqual([]);
    }
  });
});

describe("the name of a tool", () => {
  const tools = [
    ...BUILTINS,
    ofServer({ type: "object" }, "mcp.github.get_issue", "github"),
    ofServer({ type: "object" }, "mcp.a.search_users", "a"),
    ofServer({ type: "object" }, "mcp.b.search_users", "b"),
    inline({ type: "object" }, "getUser"),
    inline({ type: "object" }, "get-user"),
    inline({ type: "object" }, "weather.now"),
  ];
  const cases: readonly [name: string, meant: string][] = [
    ...[
      "functions.read_file",
      "functions.read_file:0",
      "read_file<|channel|>commentary",
      "Read",
      "ReadFile",
      "readFile",
    ],
    ...[
      "default_api.read_file",
      "tool.read_file",
      "tools/read_file",
      "<tool_call>read_file",
      "read_file()",
      "READ_FILE",
    ],
    ...[" read_file\n", '"read_file"', "`read_file`", "read-file", "read_file</tool_call>", "<function=read_file>"],
    ...[
      "commentary to=functions.read_file<|constrain|>json",
      "[TOOL_CALLS]read_file",
      "read_file{",
      "View",
      "functions_read_file",
    ],
  ].map((name): [string, string] => [name, "read_file"]);
  test.each([
    ...cases,
    ["Bash", "bash"],
    ["run_shell_command", "bash"],
    ["functions.shell", "bash"],
    ["str_replace_editor", "edit_file"],
    ["LS", "list_files"],
    ["Grep", "grep"],
    ["Write", "write_file"],
    ["mcp__github__get_issue", "mcp_github_get_issue"],
    ["mcp.github.get_issue", "mcp_github_get_issue"],
    ["github.get_issue", "mcp_github_get_issue"],
    ["github__get_issue", "mcp_github_get_issue"],
    ["get_issue", "mcp_github_get_issue"],
    ["a.search_users", "mcp_a_search_users"],
    ["weather.now", "weather_now"],
    ["WeatherNow", "weather_now"],
    ["get-user", "get-user"],
    ["functions.getUser", "getUser"],
  ])("%j is %s", async (name, meant) => {
    expect((await toolRegistry(tools, surroundings).understood(call(name, {}))).name).toBe(meant);
  });

  test.each([
    ["GetUser", "it may be getUser or get-user"],
    ["search_users", "it may be mcp_a_search_users or mcp_b_search_users"],
    ["red_file", "did you mean read_file?"],
    ["Greb", "did you mean grep?"],
    ["functions.bsh", "did you mean bash?"],
    ["", 'there is no tool ""; available: bash, read_file'],
    ["launch_rockets", "there is no tool launch_rockets; available: bash,"],
    ["other.read_file", "there is no tool other.read_file;"],
    ["\u001b[31m", 'there is no tool "\\u001b[31m"'],
  ])("%j is none", async (name, reason) => {
    const found = await understood(tools, call(name, {}));
    expect([found.call.name, found.refusal]).toEqual([name, expect.stringContaining(reason)]);
  });

  test("is the exact one first: an author's own tool is not taken for another", async () => {
    const own = [...tools, inline({ type: "object" }, "Read"), inline({ type: "object" }, "functions.bash")];
    for (const [name, meant] of [
      ["Read", "Read"],
      ["functions.bash", "functions_bash"],
      ["read", "Read"],
    ] as const) {
      expect((await toolRegistry(own, surroundings).understood(call(name, {}))).name).toBe(meant);
    }
  });

  test("that is long is cut in an error, and of many tools some are listed", async () => {
    const many = Array.from({ length: 200 }, (_, index) => inline({ type: "object" }, `tool_number_${index}`));
    const { refusal = "" } = await understood(many, call("x".repeat(5_000), {}));
    expect(refusal.length).toBeLessThan(1_000);
    expect(refusal).toEndWith(", and 170 more");
  });
});

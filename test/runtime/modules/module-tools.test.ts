import { describe, expect, test } from "bun:test";
import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { contentText } from "@mdx-ai/loop";
import { agentDirectory } from "../../support/agent-directory.ts";
import { writeFiles } from "../../support/agent-files.ts";
import { moduleBench, moduleText, toolsOf } from "../../support/module-bench.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { toolContext } from "../../support/tool-context.ts";

const tool = (members: string): string => `{
  name: "sum", description: "Adds", parameters: { type: "object", properties: {} }, execute: async () => "", ${members}
}`;

const tools = (...list: string[]): string => moduleText(`tools: () => [${list.join(", ")}]`);

test("a module's tool runs with its arguments and its result passes as it is", async () => {
  using agent = temporaryDirectory();
  const text = `class Sum {
    name = "sum";
    description = "Adds";
    parameters = { type: "object", properties: { a: { type: "number" } }, required: ["a"], $comment: undefined };
    #base = 40;
    async execute({ a }, { cwd }) {
      return { content: [{ type: "text", text: cwd + (this.#base + a) }], details: { a }, isError: true };
    }
  }
  ${moduleText("tools: () => [new Sum()]")}`;
  const bench = moduleBench(agent.path, { files: { "a.ts": text } });
  const [sum] = toolsOf(await bench.load());
  const context = {
    agentDir: agent.path,
    cwd: "/",
    sessionId: "main",
    callId: "call_1",
    signal: AbortSignal.timeout(60_000),
    log: async () => {},
    update: () => {},
  };
  expect(await sum?.execute({ a: 2 }, context)).toEqual({
    content: [{ type: "text", text: "/42" }],
    details: { a: 2 },
    isError: true,
  });
  expect([sum?.name, sum?.description, sum?.parameters["type"]]).toEqual(["sum", "Adds", "object"]);
  expect(bench.warnings).toEqual([]);
});

test("a name that is taken by a builtin, an inline tool or an earlier module is left out", async () => {
  using agent = temporaryDirectory();
  const files = {
    "a.ts": tools(tool('name: "bash"'), tool('name: "own", description: "first"')),
    "b.ts": tools(tool('name: "own", description: "second"'), tool('name: "other"')),
  };
  const bench = moduleBench(agent.path, { files, takenNames: ["bash"] });
  const modules = await bench.load();
  expect(toolsOf(modules).map(({ name, description }) => [name, description])).toEqual([
    ["own", "first"],
    ["other", "Adds"],
  ]);
  expect(bench.warnings).toEqual([
    'modules/a.ts: tools: left out "bash", another tool has that name',
    'modules/b.ts: tools: left out "own", another tool has that name',
  ]);
});

test.each([
  ["that is null", "null", "unexpected null, expected a tool"],
  ["that is a text", '"sum"', "unexpected a string, expected a tool"],
  ["without a name", tool('name: " "'), "unexpected name (a string), expected a text"],
  ["with a number as its name", tool("name: 5"), "unexpected name (a number), expected a text"],
  ["without a description", tool("description: undefined"), "unexpected description (undefined), expected a text"],
  ["that cannot be executed", tool("execute: {}"), "unexpected execute (an object), expected a function"],
  [
    "without parameters",
    tool("parameters: undefined"),
    'unexpected parameters, expected a JSON Schema with type "object"',
  ],
  [
    "with parameters of a list",
    tool('parameters: { type: "array" }'),
    'unexpected parameters, expected a JSON Schema with type "object"',
  ],
  [
    "with a function in its parameters",
    tool('parameters: { type: "object", a: [() => {}] }'),
    "unexpected value at parameters.a.0, expected plain JSON",
  ],
  [
    "with a BigInt in its parameters",
    tool('parameters: { type: "object", a: 1n }'),
    "unexpected value at parameters.a, expected plain JSON",
  ],
  [
    "with parameters that hold themselves",
    `((p) => { p.self = p; return ${tool("parameters: p")}; })({ type: "object" })`,
    "unexpected value at parameters.self, expected plain JSON",
  ],
  ["with a getter that throws", '({ get name() { throw new Error("no name"); } })', "no name"],
])("a tool %s is left out, and the others stay", async (_name, text, reported) => {
  using agent = temporaryDirectory();
  const bench = moduleBench(agent.path, { files: { "a.ts": tools(text, tool('name: "good"')) } });
  expect(toolsOf(await bench.load()).map(({ name }) => name)).toEqual(["good"]);
  expect(bench.warnings).toEqual([`modules/a.ts: tools()[0]: ${reported}`]);
});

test("a tool says whether it only looks; what is neither true nor false is left out", async () => {
  using agent = temporaryDirectory();
  const text = tools(tool("readOnly: true"), tool('name: "writes"'), tool('name: "odd", readOnly: "yes"'));
  const bench = moduleBench(agent.path, { files: { "a.ts": text } });
  const modules = await bench.load();
  expect(toolsOf(modules).map(({ name, readOnly }) => [name, readOnly])).toEqual([
    ["sum", true],
    ["writes", undefined],
  ]);
  expect(bench.warnings).toEqual(["modules/a.ts: tools()[2]: unexpected readOnly (a string), expected true or false"]);
});

test("a tool says whether a call may be made again and what is to become of its calls; other words leave it out", async () => {
  using agent = temporaryDirectory();
  const text = tools(
    tool('idempotent: true, permission: "ask"'),
    tool('name: "odd", idempotent: 1'),
    tool('name: "odder", permission: "perhaps"'),
  );
  const bench = moduleBench(agent.path, { files: { "a.ts": text } });
  const modules = await bench.load();
  expect(toolsOf(modules).map(({ name, idempotent, permission }) => [name, idempotent, permission])).toEqual([
    ["sum", true, "ask"],
  ]);
  expect(bench.warnings).toEqual([
    "modules/a.ts: tools()[1]: unexpected idempotent (a number), expected true or false",
    'modules/a.ts: tools()[2]: unexpected permission (a string), expected "allow", "ask" or "deny"',
  ]);
});

describe("the access that a tool declares", () => {
  /** A module with one tool whose `access` is `text`, and that shows the access that it was permitted. */
  const declaring = (text: string): string =>
    tools(tool(`access: ${text}, execute: async (_args, { access }) => JSON.stringify(access)`));

  async function loadTool(directory: string, text: string) {
    const bench = moduleBench(directory, { files: { "a.ts": declaring(text) } });
    const [loaded] = toolsOf(await bench.load());
    return { bench, access: async () => loaded?.access?.({ path: "notes/a.txt" }, toolContext(directory)) };
  }

  test("is handed on, with the real path of a file and with the tool as `this`", async () => {
    using agent = temporaryDirectory();
    writeFiles(agent.path, { "real/a.txt": "" });
    symlinkSync("real", join(agent.path, "notes"));
    const { bench, access } = await loadTool(
      agent.path,
      "async function ({ path }) { return { kind: this.way, path }; }, way: 'write'",
    );
    expect(await access()).toStrictEqual({ kind: "write", path: join(realpathSync(agent.path), "real/a.txt") });
    expect(bench.warnings).toStrictEqual([]);
  });

  test("may be a command, and may be returned without a promise", async () => {
    using agent = temporaryDirectory();
    const { access } = await loadTool(agent.path, '() => ({ kind: "command", command: "git log", more: 1 })');
    expect(await access()).toStrictEqual({ kind: "command", command: "git log" });
  });

  const unknown = [
    ["undefined", "undefined"],
    ["null", "null"],
    ['"write"', "a string"],
    ['{ kind: "delete", path: "a" }', "an object"],
    ['{ kind: "write" }', "an object"],
    ['{ kind: "read", path: "" }', "an object"],
    ['{ kind: "command", command: ["ls"] }', "an object"],
  ] as const;
  test.each(unknown)("of a wrong shape, %s, counts as unknown, with one warning", async (value, kind) => {
    using agent = temporaryDirectory();
    const { bench, access } = await loadTool(agent.path, `async () => (${value})`);
    expect([await access(), await access()]).toStrictEqual([{ kind: "call" }, { kind: "call" }]);
    expect(bench.warnings).toStrictEqual([
      `modules/a.ts: sum: access: returned ${kind}, which is not an access; the access counts as unknown`,
    ]);
  });

  test("may be unknown by the tool's own word", async () => {
    using agent = temporaryDirectory();
    const { bench, access } = await loadTool(agent.path, 'async () => ({ kind: "call" })');
    expect(await access()).toStrictEqual({ kind: "call" });
    expect(bench.warnings).toStrictEqual([]);
  });

  test.each([
    ['() => { throw new Error("no such note"); }', "no such note"],
    ["async () => { throw { toString() { throw 1; } }; }", "a value that cannot be shown as text"],
  ])("that cannot be reported, %s, is an error", async (text, message) => {
    using agent = temporaryDirectory();
    const { access } = await loadTool(agent.path, text);
    await expect(access()).rejects.toThrow(message);
  });

  test("is waited for 10 s at most", async () => {
    using agent = temporaryDirectory();
    const { bench, access } = await loadTool(agent.path, "() => new Promise(() => {})");
    const looking = access().catch((error: unknown) => String(error));
    await bench.clock.untilTimer();
    bench.clock.pass(10_000);
    expect(await looking).toBe("ModuleToolError: no result within 10 s");
  });

  test("that is no function leaves the tool out", async () => {
    using agent = temporaryDirectory();
    const { bench, access } = await loadTool(agent.path, '"write"');
    expect(await access()).toBeUndefined();
    expect(bench.warnings).toStrictEqual([
      "modules/a.ts: tools()[0]: unexpected access (a string), expected a function",
    ]);
  });
});

test("tools that change while the module runs join the next prompt, which waits for `prepare`", async () => {
  const changing = `
    let names = ["first"];
    let changed = () => {};
    const execute = async () => { names = ["second", "bash"]; changed(); return "ran"; };
    const toolOf = (name) => ({ name, description: "", parameters: { type: "object" }, execute });
    export default {
      tools: () => ({
        tools: () => names.map(toolOf),
        onChange: (callback) => { changed = callback; },
        prepare: async () => { if (names[0] === "second") { names = [...names, "third"]; changed(); } },
      }),
    };`;
  using directory = agentDirectory({ "agent.mdx": "# Agent: A\n", "modules/a.ts": changing });
  const call = (name: string) => ({ calls: [{ id: crypto.randomUUID(), name, arguments: {} }] });
  const warnings: string[] = [];
  const replies = [call("first"), call("second"), { text: "one" }, call("third"), { text: "two" }];
  const agent = await openScriptAgent(directory.path, replies, { onWarning: (line) => void warnings.push(line) });
  const results = async (): Promise<readonly unknown[]> => {
    const events = await Array.fromAsync(agent.session().prompt("Go"));
    return events.flatMap((event) => (event.type === "tool_execution_end" ? contentText(event.result.content) : []));
  };
  const own = (): readonly string[] =>
    [...agent.session().toolOrigins()].flatMap(([name, origin]) => (origin === "module:a" ? name : []));
  expect(own()).toStrictEqual(["first"]);
  const [ran, missing] = await results();
  expect([ran, String(missing)]).toStrictEqual(["ran", expect.stringContaining("there is no tool second")]);
  expect(own()).toStrictEqual(["second"]);
  expect(warnings).toStrictEqual(['modules/a.ts: tools: left out "bash", another tool has that name']);
  expect(await results()).toStrictEqual(["ran"]);
  await agent.close();
});

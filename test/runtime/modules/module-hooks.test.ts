import { describe, expect, test } from "bun:test";
import type { AfterToolEvent, BeforePromptEvent, BeforeToolEvent } from "@mdx-ai/runtime";
import { type BenchOptions, type ModuleBench, moduleBench, moduleText, toolsOf } from "../../support/module-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { toolContext } from "../../support/tool-context.ts";

const { signal } = new AbortController();
const place = { session: "main", sessionKey: "key", prompt: 3, cwd: "/", mode: "ask" } as const;
const PROMPT: BeforePromptEvent = { ...place, input: "hello", isFirst: true, signal };
const CALL: BeforeToolEvent = { ...place, callId: "call_1", tool: "bash", args: { command: "ls", list: [1] }, signal };
const RESULT: AfterToolEvent = { ...CALL, result: { content: [{ type: "text", text: "a.txt" }] }, isError: false };

/** A module of a name whose hooks see `calls`, a list that all modules share, and `context`. */
const named = (name: string, hooks: string): string => `
  const calls = (globalThis[Symbol.for(import.meta.dir)] ??= []);
  let context;
  ${moduleText(`describe: () => ({ name: "${name}", description: "" }), initialize: async (own) => { context = own; }, ${hooks}`)}`;

/** What the hooks of the modules below a directory have put into `calls`. */
const callsOf = (directory: string): unknown => Reflect.get(globalThis, Symbol.for(`${directory}/modules`));

async function load(directory: string, files: Readonly<Record<string, string>>, options: BenchOptions = {}) {
  const bench = moduleBench(directory, { files, ...options });
  return { bench, hooks: (await bench.load()).hooks };
}

/** Lets time pass until the work is done. */
async function passing<Result>(bench: ModuleBench, work: Promise<Result>): Promise<Result> {
  await bench.clock.untilTimer();
  bench.clock.pass(9_999);
  expect(bench.warnings).toStrictEqual([]);
  bench.clock.pass(1);
  return work;
}

test("a module without hooks has none, and nothing is asked", async () => {
  using agent = temporaryDirectory();
  const { hooks } = await load(agent.path, { "a.ts": moduleText("") });
  expect(hooks.names).toStrictEqual([]);
  const answers: readonly object[] = [await hooks.beforePrompt(PROMPT), await hooks.beforeTool(CALL)];
  expect(answers).toStrictEqual([{ contexts: [] }, {}]);
});

test("it is known which hooks there are", async () => {
  using agent = temporaryDirectory();
  const { hooks } = await load(agent.path, {
    "a.ts": named("a", "beforeTool: () => {}"),
    "b.ts": named("b", "afterPrompt: () => {}"),
  });
  expect(hooks.names).toStrictEqual(["beforeTool", "afterPrompt"]);
});

test("the hooks run in the order of the file names, one after the other, in any loading order", async () => {
  using agent = temporaryDirectory();
  const hook = (name: string, wait: number): string =>
    named(
      name,
      `beforePrompt: async () => { calls.push("${name} begins"); await Bun.sleep(${wait}); calls.push("${name} ends"); }`,
    );
  const { hooks } = await load(agent.path, {
    "b.ts": hook("first", 0),
    "c.ts": hook("second", 1),
    "a.ts": hook("zeroth", 5),
  });
  await hooks.beforePrompt(PROMPT);
  expect(callsOf(agent.path)).toStrictEqual(
    ["zeroth", "first", "second"].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test("each hook gets its event, and may be a method of a class or answer without a promise", async () => {
  using agent = temporaryDirectory();
  const text = `const calls = (globalThis[Symbol.for(import.meta.dir)] ??= []);
  class Watcher {
    #calls = calls;
    describe() { return { name: "watcher", description: "" }; }
    async initialize() {}
    tools() { return []; }
    systemPrompt() { return ""; }
    async start() {}
    stop() {}
    beforePrompt(event) { this.#calls.push(["beforePrompt", event]); }
    beforeTool(event) { this.#calls.push(["beforeTool", event]); }
    async afterTool(event) { this.#calls.push(["afterTool", event]); }
    afterPrompt(event) { this.#calls.push(["afterPrompt", event]); }
  }
  export default new Watcher();`;
  const { hooks, bench } = await load(agent.path, { "a.ts": text });
  const end = { ...place, outcome: "done", text: "bye", inputs: ["hello"], tools: [] } as const;
  await hooks.beforePrompt(PROMPT);
  await hooks.beforeTool(CALL);
  await hooks.afterTool(RESULT);
  await hooks.afterPrompt(end);
  expect(callsOf(agent.path)).toStrictEqual([
    ["beforePrompt", PROMPT],
    ["beforeTool", CALL],
    ["afterTool", RESULT],
    ["afterPrompt", end],
  ]);
  expect(bench.warnings).toStrictEqual([]);
});

test("what a hook does to its event reaches neither the call nor another hook", async () => {
  using agent = temporaryDirectory();
  const spoil = "args.command = 'rm'; args.list.push(2);";
  const { hooks } = await load(agent.path, {
    "a.ts": named(
      "a",
      `beforeTool: ({ args }) => { ${spoil} }, afterTool: ({ args, result }) => { ${spoil} result.content.pop(); }`,
    ),
    "b.ts": named(
      "b",
      "beforeTool: ({ args }) => { calls.push(args); }, afterTool: ({ args, result }) => { calls.push(args, result); }",
    ),
  });
  await hooks.beforeTool(CALL);
  await hooks.afterTool(RESULT);
  expect(callsOf(agent.path)).toStrictEqual([CALL.args, CALL.args, RESULT.result]);
  expect(CALL.args).toStrictEqual({ command: "ls", list: [1] });
  expect(RESULT.result.content).toHaveLength(1);
});

test("beforePrompt adds texts for the model, each with its module; an empty one is left out", async () => {
  using agent = temporaryDirectory();
  const { hooks } = await load(agent.path, {
    "a.ts": named("clock", "beforePrompt: async ({ input }) => ({ context: 'after ' + input })"),
    "b.ts": named("quiet", "beforePrompt: () => ({ context: '' })"),
    "c.ts": named("silent", "beforePrompt: async () => {}"),
    "d.ts": named("weather", "beforePrompt: () => ({ context: 'rain', more: 1 })"),
  });
  const answer = await hooks.beforePrompt(PROMPT);
  expect(answer).toStrictEqual({
    contexts: [
      { module: "clock", text: "after hello" },
      { module: "weather", text: "rain" },
    ],
  });
  expect(JSON.parse(JSON.stringify(answer))).toStrictEqual(answer);
});

test("the first denial of beforeTool counts, and later modules are not asked", async () => {
  using agent = temporaryDirectory();
  const hook = (name: string, answer: string): string =>
    named(name, `beforeTool: async () => { calls.push("${name}"); return ${answer}; }`);
  const { hooks } = await load(agent.path, {
    "a.ts": hook("fine", "undefined"),
    "b.ts": hook("strict", "{ deny: 'not on Sundays' }"),
    "c.ts": hook("stricter", "{ deny: 'never' }"),
  });
  expect(await hooks.beforeTool(CALL)).toStrictEqual({ deny: { module: "strict", reason: "not on Sundays" } });
  expect(callsOf(agent.path)).toStrictEqual(["fine", "strict"]);
});

test("a denial without words is a denial", async () => {
  using agent = temporaryDirectory();
  const { hooks } = await load(agent.path, { "a.ts": named("a", "beforeTool: () => ({ deny: '' })") });
  expect(await hooks.beforeTool(CALL)).toStrictEqual({ deny: { module: "a", reason: "" } });
});

describe("a hook that goes wrong is logged with its file and name, and changes nothing:", () => {
  const cases: readonly (readonly [what: string, hook: string, reason: string])[] = [
    ["beforePrompt throws", "beforePrompt() { throw new Error('no clock'); }", "beforePrompt: no clock"],
    ["beforePrompt rejects", "beforePrompt: async () => { throw 'odd'; }", "beforePrompt: odd"],
    [
      "beforePrompt returns a string",
      "beforePrompt: () => 'rain'",
      "beforePrompt: unexpected a string, expected nothing or {context: string} or {deny: string}",
    ],
    [
      "beforePrompt returns null",
      "beforePrompt: () => null",
      "beforePrompt: unexpected null, expected nothing or {context: string} or {deny: string}",
    ],
    [
      "beforePrompt returns a list",
      "beforePrompt: () => ['rain']",
      "beforePrompt: unexpected an array, expected nothing or {context: string} or {deny: string}",
    ],
    [
      "beforePrompt returns a number as context",
      "beforePrompt: () => ({ context: 5 })",
      "beforePrompt: unexpected an object, expected nothing or {context: string} or {deny: string}",
    ],
    [
      "beforePrompt returns a getter that throws",
      "beforePrompt: () => ({ get context() { throw new Error('none'); } })",
      "beforePrompt: none",
    ],
    ["beforeTool throws", "beforeTool() { throw new Error('no list'); }", "beforeTool: no list"],
    [
      "beforeTool returns true",
      "beforeTool: () => true",
      "beforeTool: unexpected a boolean, expected nothing or {deny: string}",
    ],
    [
      "beforeTool returns a denial without a reason",
      "beforeTool: () => ({ deny: true })",
      "beforeTool: unexpected an object, expected nothing or {deny: string}",
    ],
    [
      "beforeTool returns another member",
      "beforeTool: () => ({ denied: 'x' })",
      "beforeTool: unexpected an object, expected nothing or {deny: string}",
    ],
    ["afterTool throws", "afterTool() { throw new Error('full'); }", "afterTool: full"],
    [
      "afterTool returns a result",
      "afterTool: async () => ({ content: [] })",
      "afterTool: unexpected an object, expected nothing or {context: string}",
    ],
    ["afterPrompt rejects", "afterPrompt: async () => { throw new Error('full'); }", "afterPrompt: full"],
    ["afterPrompt returns a text", "afterPrompt: () => 'bye'", "afterPrompt: unexpected a string, expected nothing"],
  ];
  test.each(cases)("%s", async (_what, hook, reason) => {
    using agent = temporaryDirectory();
    const good =
      "beforePrompt: () => ({ context: 'good' }), afterTool: () => { calls.push('afterTool'); }, afterPrompt: () => { calls.push('afterPrompt'); }";
    const { hooks, bench } = await load(agent.path, { "a.ts": named("bad", hook), "b.ts": named("good", good) });
    for (let round = 0; round < 2; round += 1) {
      expect(await hooks.beforePrompt(PROMPT)).toStrictEqual({ contexts: [{ module: "good", text: "good" }] });
      expect(await hooks.beforeTool(CALL)).toStrictEqual({});
      await hooks.afterTool(RESULT);
      await hooks.afterPrompt({ ...place, outcome: "done", text: "", inputs: [], tools: [] });
    }
    expect(callsOf(agent.path)).toStrictEqual(["afterTool", "afterPrompt", "afterTool", "afterPrompt"]);
    expect(bench.warnings).toStrictEqual([`modules/a.ts: ${reason}`]);
    expect(await bench.logged()).toStrictEqual([`modules/a.ts: ${reason}`, `modules/a.ts: ${reason}`]);
  });
});

describe("a hook that never ends is given up after 10 s, logged, and changes nothing:", () => {
  const never = (hook: string): Readonly<Record<string, string>> => ({
    "a.ts": named("stuck", `${hook}: () => new Promise(() => {})`),
    "b.ts": named(
      "good",
      "beforePrompt: () => ({ context: 'good' }), beforeTool: () => ({ deny: 'no' }), afterTool: () => { calls.push('good'); }",
    ),
  });

  test("beforePrompt", async () => {
    using agent = temporaryDirectory();
    const { hooks, bench } = await load(agent.path, never("beforePrompt"));
    expect(await passing(bench, hooks.beforePrompt(PROMPT))).toStrictEqual({
      contexts: [{ module: "good", text: "good" }],
    });
    expect(bench.warnings).toStrictEqual(["modules/a.ts: beforePrompt: no result within 10 s"]);
  });

  test("beforeTool", async () => {
    using agent = temporaryDirectory();
    const { hooks, bench } = await load(agent.path, never("beforeTool"));
    expect(await passing(bench, hooks.beforeTool(CALL))).toStrictEqual({ deny: { module: "good", reason: "no" } });
    expect(bench.warnings).toStrictEqual(["modules/a.ts: beforeTool: no result within 10 s"]);
  });

  test("afterTool", async () => {
    using agent = temporaryDirectory();
    const { hooks, bench } = await load(agent.path, never("afterTool"));
    await passing(bench, hooks.afterTool(RESULT));
    expect(callsOf(agent.path)).toStrictEqual(["good"]);
    expect(bench.warnings).toStrictEqual(["modules/a.ts: afterTool: no result within 10 s"]);
  });

  test("afterPrompt", async () => {
    using agent = temporaryDirectory();
    const { hooks, bench } = await load(agent.path, never("afterPrompt"));
    await passing(bench, hooks.afterPrompt({ ...place, outcome: "limit", text: "", inputs: [], tools: [] }));
    expect(bench.warnings).toStrictEqual(["modules/a.ts: afterPrompt: no result within 10 s"]);
  });
});

test("a hook before a prompt or a call is not waited for when the prompt is aborted, and no later one is called", async () => {
  using agent = temporaryDirectory();
  const stuck = (name: string): string =>
    named(
      name,
      "beforePrompt: () => { calls.push('prompt'); return new Promise(() => {}); }, beforeTool: () => { calls.push('tool'); return new Promise(() => {}); }",
    );
  const { hooks, bench } = await load(agent.path, { "a.ts": stuck("a"), "b.ts": stuck("b") });
  const stop = new AbortController();
  const waiting = [
    hooks.beforePrompt({ ...PROMPT, signal: stop.signal }),
    hooks.beforeTool({ ...CALL, signal: stop.signal }),
  ];
  stop.abort();
  expect(await Promise.all<object>(waiting)).toStrictEqual([{ contexts: [] }, {}]);
  expect(await hooks.beforeTool({ ...CALL, signal: stop.signal })).toStrictEqual({});
  expect(callsOf(agent.path)).toStrictEqual(["prompt", "tool"]);
  expect(bench.warnings).toStrictEqual([]);
});

test("hooks, and a tool's declared access, run as a part of the prompt", async () => {
  using agent = temporaryDirectory();
  const parts: unknown[] = [];
  const duringPrompt: BenchOptions["duringPrompt"] = async (work) => {
    const result = await work();
    parts.push(result);
    return result;
  };
  const tool =
    "{ name: 't', description: '', parameters: { type: 'object' }, access: async () => ({ kind: 'call' }), execute: async () => '' }";
  const text = named("a", `beforeTool: () => ({ deny: "no" }), tools: () => [${tool}]`);
  const bench = moduleBench(agent.path, { files: { "a.ts": text }, duringPrompt });
  const modules = await bench.load();
  await modules.hooks.beforeTool(CALL);
  await toolsOf(modules)[0]?.access?.({}, toolContext(agent.path));
  expect(parts).toStrictEqual([{ deny: "no" }, { kind: "call" }]);
});

test("a hook of a wrong kind leaves the module out, as any other member does", async () => {
  using agent = temporaryDirectory();
  const { hooks, bench } = await load(agent.path, { "a.ts": moduleText("beforeTool: true") });
  expect(hooks.names).toStrictEqual([]);
  expect(bench.warnings).toStrictEqual([
    "modules/a.ts: unexpected default export: beforeTool is a boolean; expected the functions of AgentModule",
  ]);
});

test("a module whose initialize fails has no hooks", async () => {
  using agent = temporaryDirectory();
  const text = moduleText("initialize: async () => { throw new Error('no'); }, beforeTool: () => ({ deny: 'x' })");
  const { hooks } = await load(agent.path, { "a.ts": text });
  expect(hooks.names).toStrictEqual([]);
});

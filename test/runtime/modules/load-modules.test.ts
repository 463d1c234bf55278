import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../support/agent-files.ts";
import { type BenchOptions, moduleBench, moduleText, namesOf } from "../../support/module-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const GOOD = moduleText('describe: () => ({ name: "good", description: "Works" }), systemPrompt: () => "I am good."');

test("a module's default export is described, initialized, started and stopped, each once and in this order", async () => {
  using agent = temporaryDirectory();
  const members = ["initialize", "start", "stop"].map(
    (hook) =>
      `${hook}(context) { order.push("${hook}"); this.context ??= context; ${hook === "stop" ? "write(this)" : ""} }`,
  );
  const text = `import { writeFileSync } from "node:fs";
    const order: string[] = [];
    const write = ({ context }) => writeFileSync(context.agentDir + "/order.json", JSON.stringify(order));
    ${moduleText(members.join(", "))}`;
  const bench = moduleBench(agent.path, { files: { "order.ts": text } });
  const modules = await bench.load();
  expect(namesOf(modules)).toEqual(["whole"]);
  await modules.start();
  await modules.stop();
  await modules.stop();
  expect(JSON.parse(readFileSync(join(agent.path, "order.json"), "utf8"))).toEqual(["initialize", "start", "stop"]);
  expect(bench.warnings).toEqual([]);
});

test("a module prompts through the context and logs under its name", async () => {
  using agent = temporaryDirectory();
  const initialize = `initialize: async (context) => {
    const { text, outcome } = await context.prompt("hello");
    await context.log(text + " " + outcome);
  }`;
  const bench = moduleBench(agent.path, { files: { "talk.ts": moduleText(initialize) } });
  await bench.load();
  expect(bench.prompts).toEqual(["hello"]);
  expect(await bench.logged()).toEqual(["whole: HELLO done"]);
});

test("a module's section is asked for anew each time", async () => {
  using agent = temporaryDirectory();
  const text = `let count = 0;\n${moduleText('systemPrompt: () => "asked " + ++count')}`;
  const modules = await moduleBench(agent.path, { files: { "count.ts": text } }).load();
  expect(modules.sections()).toEqual(["asked 1"]);
  expect(modules.sections()).toEqual(["asked 2"]);
});

test("builtin modules come first, then the files in their order", async () => {
  using agent = temporaryDirectory();
  const named = (name: string): string => moduleText(`describe: () => ({ name: "${name}", description: "" })`);
  const builtin = {
    describe: () => ({ name: "builtin", description: "" }),
    initialize: async () => {},
    tools: () => [],
    systemPrompt: () => "",
    start: async () => {},
    stop: () => {},
  };
  const bench = moduleBench(agent.path, { files: { "b.ts": named("b"), "a.ts": named("a") }, builtin: [builtin] });
  expect(namesOf(await bench.load())).toEqual(["builtin", "b", "a"]);
});

test("a module may be an object of a class", async () => {
  using agent = temporaryDirectory();
  const text = `class Counter {
    #count = 0;
    describe() { return { name: "counter", description: "Counts" }; }
    async initialize() { this.#count++; }
    tools() { return []; }
    systemPrompt() { return "count " + this.#count; }
    async start() { this.#count++; }
    stop() {}
  }
  export default new Counter();`;
  const modules = await moduleBench(agent.path, { files: { "counter.ts": text } }).load();
  await modules.start();
  expect(modules.sections()).toEqual(["count 2"]);
});

const LEFT_OUT: readonly [string, string, string][] = [
  ["throws when imported", 'throw new Error("boom\\nmore");', "cannot be imported: boom\\nmore"],
  ["throws what is no error", "throw null;", "cannot be imported: null"],
  ["does not parse", "export default {\n  a: ,\n};", "cannot be imported: line 2, column 6: Unexpected ,"],
  ["has several mistakes", "const a: ;\nlet b = ]", "cannot be imported: line 1, column 10: Unexpected ;"],
  ["imports what is missing", 'import "./missing.ts";', "cannot be imported: Cannot find module './missing.ts'"],
  [
    "has no default export",
    "export const x = 1;",
    "unexpected module without a default export, expected an AgentModule",
  ],
  [
    "exports a function",
    "export default () => ({});",
    "unexpected default export (a function), expected an AgentModule object",
  ],
  ["exports null", "export default null;", "unexpected default export (null), expected an AgentModule object"],
  [
    "exports an empty object",
    "export default {};",
    "unexpected default export: it has none of describe, initialize, tools, ",
  ],
  [
    "has a member of a wrong kind",
    moduleText("tools: [], stop: 5"),
    "unexpected default export: tools is an array, stop is a number; ",
  ],
  ["has a getter that throws", 'export default { get describe() { throw new Error("no getter"); } };', "no getter"],
  ["throws in initialize", moduleText('initialize() { throw new Error("sync"); }'), "initialize: sync"],
  ["rejects in initialize", moduleText('initialize: async () => { throw new Error("late"); }'), "initialize: late"],
];

test.each(LEFT_OUT)(
  "a module that %s is left out with a warning of one line, and the rest continues",
  async (_name, text, reported) => {
    using agent = temporaryDirectory();
    const bench = moduleBench(agent.path, { files: { "a.ts": text, "b.ts": GOOD } });
    const modules = await bench.load();
    await modules.start();
    expect(namesOf(modules)).toEqual(["good"]);
    expect(modules.sections()).toEqual(["I am good."]);
    await modules.stop();
    expect(bench.warnings).toHaveLength(1);
    expect(bench.warnings[0]).toStartWith(`modules/a.ts: ${reported}`);
    expect(await bench.logged()).toEqual([...bench.warnings]);
  },
);

const KEPT: readonly [string, string, string][] = [
  ["throws in describe", 'describe() { throw new Error("who"); }', "describe: who"],
  [
    "describes itself later",
    'describe: async () => ({ name: "x" })',
    "describe: unexpected a promise, expected {name, description}",
  ],
  ["has no name", "describe: () => ({ name: '' })", "describe: unexpected an object, expected {name, description}"],
  ["throws in tools", 'tools() { throw new Error("none"); }', "tools: none"],
  ["gives tools later", "tools: async () => []", "tools: unexpected a promise, expected an array of tools"],
  [
    "rejects in tools",
    'tools: async () => { throw new Error("x"); }',
    "tools: unexpected a promise, expected an array of tools",
  ],
  ["throws in systemPrompt", 'systemPrompt() { throw new Error("mute"); }', "systemPrompt: mute"],
  ["gives a number as its section", "systemPrompt: () => 5", "systemPrompt: unexpected a number, expected a string"],
  [
    "rejects in systemPrompt",
    'systemPrompt: async () => { throw new Error("x"); }',
    "systemPrompt: unexpected a promise, expected a string",
  ],
  ["throws in start", 'start() { throw new Error("stuck"); }', "start: stuck"],
  ["rejects in start", 'start: async () => { throw new Error("stuck"); }', "start: stuck"],
  ["throws in stop", 'stop() { throw new Error("runs on"); }', "stop: runs on"],
  ["rejects in stop", 'stop: async () => { throw new Error("runs on"); }', "stop: runs on"],
];

test.each(KEPT)(
  "a module that %s loses that hook alone, with a warning of one line",
  async (_name, members, reported) => {
    using agent = temporaryDirectory();
    const bench = moduleBench(agent.path, { files: { "a.ts": moduleText(members), "b.ts": GOOD } });
    const modules = await bench.load();
    await modules.start();
    expect(namesOf(modules)).toHaveLength(2);
    expect(modules.sections()).toContain("I am good.");
    modules.sections();
    await modules.stop();
    expect(bench.warnings).toHaveLength(1);
    expect(bench.warnings[0]).toStartWith(`modules/a.ts: ${reported}`);
  },
);

test.each([
  'describe: () => ({ name: "one", description: "" })',
  "initialize: async () => {}",
  "tools: () => []",
  'systemPrompt: () => "alone"',
  "start: async () => {}",
  "stop() {}",
  'beforePrompt: () => ({ context: "x" })',
  "afterTool() {}",
])("a module needs one member only: %s", async (member) => {
  using agent = temporaryDirectory();
  const bench = moduleBench(agent.path, { files: { "one.ts": `export default { ${member} };` } });
  const modules = await bench.load();
  await modules.start();
  expect(namesOf(modules)).toEqual(["one"]);
  expect(modules.sections()).toEqual([member.startsWith("systemPrompt") ? "alone" : ""]);
  await modules.stop();
  expect(bench.warnings).toEqual([]);
});

test("a module whose describe fails is named after its file", async () => {
  using agent = temporaryDirectory();
  const bench = moduleBench(agent.path, { files: { "my-module.ts": moduleText("describe: () => null") } });
  expect(namesOf(await bench.load())).toEqual(["my-module"]);
});

const NEVER: readonly [string, string, string, readonly string[]][] = [
  ["import", "await new Promise(() => {});", "cannot be imported: no result within 10 s", ["good"]],
  ["initialize", moduleText("initialize: () => new Promise(() => {})"), "initialize: no result within 10 s", ["good"]],
  ["start", moduleText("start: () => new Promise(() => {})"), "start: no result within 10 s", ["whole", "good"]],
];

test.each(NEVER)("an %s that never ends is given up after 10 s", async (_name, text, reported, names) => {
  using agent = temporaryDirectory();
  const bench = moduleBench(agent.path, { files: { "a.ts": text, "b.ts": GOOD } });
  const opening = (async () => {
    const modules = await bench.load();
    await modules.start();
    return modules;
  })();
  let isOpen = false;
  opening.then(() => {
    isOpen = true;
  });
  // An import of the other module must fit between two looks.
  while (!isOpen) {
    bench.clock.pass(1_000);
    await Bun.sleep(10);
  }
  expect(namesOf(await opening)).toEqual([...names]);
  expect(bench.warnings).toEqual([`modules/a.ts: ${reported}`]);
});

test("a stop that never ends is given up after 5 s", async () => {
  using agent = temporaryDirectory();
  const bench = moduleBench(agent.path, { files: { "a.ts": moduleText("stop: () => new Promise(() => {})") } });
  const modules = await bench.load();
  const stopping = modules.stop();
  await bench.clock.untilTimer();
  bench.clock.pass(5_000);
  await stopping;
  expect(bench.warnings).toEqual(["modules/a.ts: stop: no result within 5 s"]);
});

test("a module whose initialize fails is stopped, since it may have opened something", async () => {
  using agent = temporaryDirectory();
  const text = `import { writeFileSync } from "node:fs";
    ${moduleText('initialize: async () => { throw new Error("no port"); }, stop: () => writeFileSync(import.meta.dir + "/stopped", "")')}`;
  const bench = moduleBench(agent.path, { files: { "a.ts": text } });
  await bench.load();
  expect(existsSync(join(agent.path, "modules/stopped"))).toBe(true);
});

test("a module that is replaced has stopped before the next one begins, so that both can use one port", async () => {
  using agent = temporaryDirectory();
  const text = `import { appendFileSync } from "node:fs";
    const say = (text: string) => appendFileSync(import.meta.dir + "/order", text + " ");
    ${moduleText('initialize: async () => say("begin"), stop: async () => { await Bun.sleep(5); say("end"); }')}`;
  const bench = moduleBench(agent.path, { files: { "a.ts": text } });
  const before = await bench.load();
  await bench.load(undefined, before);
  expect(readFileSync(join(agent.path, "modules/order"), "utf8")).toBe("begin end begin ");
});

test("a module with a mistake in its types runs", async () => {
  using agent = temporaryDirectory();
  const text = `const count: string = 5;\n${moduleText("systemPrompt: () => `count ${count}` satisfies number")}`;
  const bench = moduleBench(agent.path, { files: { "a.ts": text } });
  expect((await bench.load()).sections()).toEqual(["count 5"]);
});

test.each([
  ["1", ["whole"], []],
  ["2", [], ["modules/a.ts: it is written for apiVersion 2, and this program has 1"]],
])(
  "a module that is written for version %s of the interface is loaded only if that is the program's",
  async (version, names, warnings) => {
    using agent = temporaryDirectory();
    const bench = moduleBench(agent.path, { files: { "a.ts": moduleText(`apiVersion: ${version}`) } });
    expect(namesOf(await bench.load())).toEqual(names);
    expect(bench.warnings).toEqual(warnings);
  },
);

test("a module whose initialize comes too late is still stopped", async () => {
  using agent = temporaryDirectory();
  const text = `import { writeFileSync } from "node:fs";
    ${moduleText('initialize: () => new Promise(() => {}), stop: () => writeFileSync(import.meta.dir + "/stopped", "")')}`;
  const bench = moduleBench(agent.path, { files: { "a.ts": text } });
  const loading = bench.load();
  // Once for the import, which ends by itself, then for initialize.
  await bench.clock.untilTimer();
  while (bench.warnings.length === 0) {
    bench.clock.pass(1_000);
    await Bun.sleep(10);
  }
  await (await loading).stop();
  expect(existsSync(join(agent.path, "modules/stopped"))).toBe(true);
});

test("nothing starts after it was stopped", async () => {
  using agent = temporaryDirectory();
  const bench = moduleBench(agent.path, { files: { "a.ts": moduleText('start() { throw new Error("started"); }') } });
  const modules = await bench.load();
  await modules.stop();
  await modules.start();
  expect(bench.warnings).toEqual([]);
});

test("without modules there is nothing", async () => {
  using agent = temporaryDirectory();
  const options: BenchOptions = {};
  const modules = await moduleBench(agent.path, options).load();
  await modules.start();
  await modules.stop();
  expect([modules.live, modules.sources, modules.sections()]).toEqual([[], [], []]);
});

test.each([
  ["a module", "agent", "modules/a.ts", "modules/a.ts"],
  ["what is imported with a query", "agent", 'import { word } from "../lib.ts?1"', "lib.ts"],
  ["what is imported late with a query", "agent", 'const { word } = await import("../lib.ts?" + 1)', "lib.ts"],
  ["what a module of an installed agent imports", "node_modules/agent", 'import { word } from "../lib.ts"', "lib.ts"],
  ["what a module of an agent that a link names imports", "link", 'import { word } from "../lib.ts"', "lib.ts"],
])("modules are read again after an edit of %s", async (_, name, importing, edited) => {
  using folder = temporaryDirectory();
  const agentDir = join(folder.path, name);
  mkdirSync(join(folder.path, name === "link" ? "agent" : name), { recursive: true });
  if (name === "link") symlinkSync("agent", agentDir);
  const module = (word: string): string =>
    `${edited === "lib.ts" ? importing : `const word = "${word}"`};\n${moduleText("systemPrompt: () => word")}`;
  const write = (word: string): string =>
    writeFiles(agentDir, { "modules/a.ts": module(word), "lib.ts": `export const word = "${word}";` });
  const bench = moduleBench(agentDir, { files: { "a.ts": "" } });
  write("one");
  const before = await bench.load();
  expect([before.isCurrent(), before.sections()]).toEqual([true, ["one"]]);
  write("two");
  expect(before.isCurrent()).toBe(false);
  const after = await bench.load(undefined, before);
  expect([after.isCurrent(), after.sections()]).toEqual([true, ["two"]]);
});

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LoadedModules, type ModuleBench, moduleBench, moduleText, toolsOf } from "../../support/module-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const STOPS = 'stop: () => writeFileSync(import.meta.dir + "/stopped", "")';
const module = (members: string): string =>
  `import { writeFileSync } from "node:fs";\n${moduleText(`${members}, ${STOPS}`)}`;

const event = { type: "turn_start" } as const;
const prompt = {
  session: "main",
  sessionKey: "k",
  prompt: 1,
  input: "hi",
  isFirst: true,
  cwd: "/",
  mode: "ask",
} as const;

interface Failing {
  readonly name: string;
  readonly members: string;
  readonly location: string;
  fail(modules: LoadedModules, bench: ModuleBench): Promise<unknown> | unknown;
}

const FAILING: readonly Failing[] = [
  {
    name: "a hook",
    members: 'beforePrompt() { throw new Error("oh"); }',
    location: "beforePrompt",
    fail: ({ hooks }) => hooks.beforePrompt({ ...prompt, signal: new AbortController().signal }),
  },
  {
    name: "a section",
    members: 'systemPrompt() { throw new Error("oh"); }',
    location: "systemPrompt",
    fail: (modules) => modules.sections(),
  },
  {
    name: "a listener",
    members: 'initialize: async (context) => void context.subscribe(() => { throw new Error("oh"); })',
    location: "listener",
    fail: (modules) => modules.send(event, "main"),
  },
  {
    name: "a listener that is late",
    members: 'initialize: async (context) => void context.subscribe(async () => { throw new Error("oh"); })',
    location: "listener",
    fail: async (modules) => {
      modules.send(event, "main");
      await Promise.resolve();
    },
  },
];

test.each(FAILING)(
  "a module that fails five times within a minute in $name is stopped, and not before",
  async ({ members, location, fail }) => {
    using agent = temporaryDirectory();
    const bench = moduleBench(agent.path, { files: { "a.ts": module(members) } });
    const modules = await bench.load();
    const isStopped = () => Bun.file(join(agent.path, "modules/stopped")).exists();
    for (let count = 0; count < 4; count++) await fail(modules, bench);
    bench.clock.pass(61_000);
    for (let count = 0; count < 4; count++) await fail(modules, bench);
    expect([await isStopped(), bench.warnings]).toEqual([false, [`modules/a.ts: ${location}: oh`]]);
    await fail(modules, bench);
    expect(await isStopped()).toBe(true);
    const stopped = "modules/a.ts: stopped, because it failed 5 times within a minute";
    expect(bench.warnings).toEqual([`modules/a.ts: ${location}: oh`, stopped]);
    await fail(modules, bench);
    expect((await bench.logged()).filter((line) => line.endsWith("oh"))).toHaveLength(9);
  },
);

test("the tools of a module that was stopped stay in the list, and their calls say so", async () => {
  using agent = temporaryDirectory();
  const members = `tools: () => [{ name: "t", description: "", parameters: { type: "object" }, execute: async () => "ran" }],
    systemPrompt() { throw new Error("oh"); }`;
  const bench = moduleBench(agent.path, { files: { "a.ts": moduleText(members) } });
  const modules = await bench.load();
  const context = { agentDir: agent.path, cwd: agent.path, sessionId: "main", callId: "1" };
  const call = async () =>
    toolsOf(modules)[0]?.execute(
      {},
      { ...context, signal: AbortSignal.any([]), log: async () => {}, update: () => {} },
    );
  expect(await call()).toBe("ran");
  for (let count = 0; count < 5; count++) modules.sections();
  const text = "not run: the module whole was stopped";
  expect(await call()).toEqual({ content: [{ type: "text", text }], isError: true });
  expect(toolsOf(modules)).toHaveLength(1);
});

test("an error that no code awaits is a module's if its stack names the file, and nobody else's; five are reported", async () => {
  using agent = temporaryDirectory();
  const text = 'initialize: async () => { globalThis["errorOfModule"] = new Error("in a timer"); }';
  const bench = moduleBench(agent.path, { files: { "a.ts": moduleText(text) } });
  const modules = await bench.load();
  const error: unknown = Reflect.get(globalThis, "errorOfModule");
  Reflect.deleteProperty(globalThis, "errorOfModule");
  expect([modules.claim(error), modules.claim(new Error("elsewhere")), modules.claim("text")]).toEqual([true, false, false]); // biome-ignore format: short
  expect(bench.warnings).toEqual(["modules/a.ts: in a timer"]);
  const stopped = "modules/a.ts: stopped, because it failed 5 times within a minute";
  for (let count = 0; count < 20; count++) expect(modules.claim(error)).toBe(true);
  expect(bench.warnings).toEqual(["modules/a.ts: in a timer", stopped]);
  expect((await bench.logged()).filter((line) => line.endsWith("in a timer"))).toHaveLength(5);
  expect(readFileSync(join(agent.path, "modules/a.ts"), "utf8")).toContain("in a timer");
});

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../support/eventually.ts";
import { noProcessesOf, processesOf } from "../../support/remaining-processes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { openToolBench, toolDoing, toolOf } from "../../support/tool-bench.ts";

describe("a tool's code", () => {
  test.each([
    ["a function", "async function execute() { return 'done' }"],
    ["an exported function", "export async function execute() { return 'done' }"],
    ["an exported constant", "export const execute = async (): Promise<string> => 'done';"],
    ["a default export that has the name", "export default async function execute() { return 'done' }"],
    ["an export under that name", "const run = () => 'done';\nexport { run as execute };"],
    ["a function before a comment without newline", "function execute() { return 'done' } // the end"],
    ["CRLF", "function execute() {\r\n  return 'done'\r\n}\r\n"],
    ["a const with top-level await", "const text = await Promise.resolve('done');\nconst execute = () => text;"],
  ])("may define `execute` as %s", async (_name, text) => {
    await using bench = openToolBench();
    expect(await bench.run(toolOf(text))).toMatchObject({ text: "done", isError: false });
  });

  test("gets nothing installed that it imports and that is not there", async () => {
    await using bench = openToolBench();
    const result = await bench.run(toolOf('import odd from "is-odd";\nexport const execute = () => odd(1);'));
    expect(result.isError).toBe(true);
    expect(result.text).toContain('cannot find "is-odd" (agent.mdx:10:17); packages are not installed automatically');
  });

  test("that floods with parts of its result has few of them reported", async () => {
    await using bench = openToolBench();
    const context = bench.context();
    const { text } = await bench.run(
      toolDoing("for (let i = 0; i < 1000; i++) ctx.update('x'); return 'all'"),
      {},
      context,
    );
    expect(text).toBe("all");
    expect(context.partials.length).toBeGreaterThan(0);
    expect(context.partials.length).toBeLessThan(500);
  });

  test.each([
    ["returns", "return 'all'", "all"],
    ["throws", "throw new Error('no more')", "no more (agent.mdx:12:11)"],
  ])(
    "that reports parts of its result faster than anybody can see has the newest one shown before it %s",
    async (_how, end, text) => {
      await using bench = openToolBench();
      const context = bench.context();
      const body = `for (let part = 1; part <= 5; part += 1) ctx.update("part " + part);\n${end}`;
      expect(await bench.run(toolDoing(body), {}, context)).toMatchObject({ text });
      expect(context.partials.at(-1)).toEqual({ content: [{ type: "text", text: "part 5" }] });
      expect(context.partials.length).toBeLessThan(5);
    },
  );

  test("that reports the newest part of its result and then works on has it shown meanwhile", async () => {
    await using bench = openToolBench();
    const context = bench.context();
    const body = "ctx.update('one'); ctx.update('two'); await new Promise(() => {})";
    const abortion = new AbortController();
    const running = bench.run(toolDoing(body), {}, { ...context, signal: abortion.signal });
    await eventually(() => expect(context.partials).toHaveLength(2));
    expect(context.partials.at(-1)).toEqual({ content: [{ type: "text", text: "two" }] });
    abortion.abort();
    await running;
  });

  test("gets long arguments whole, and an image of many megabytes comes back whole", async () => {
    await using bench = openToolBench();
    const city = "é".repeat(3_000_000);
    const body = `const data = "A".repeat(15_000_000);
      return { content: [{ type: "text", text: String(params.city.length) }, { type: "image", data, mimeType: "image/png" }] };`;
    const { content } = await bench.host.call(toolDoing(body), { city }, bench.context());
    expect(content.map((block) => (block.type === "text" ? block.text : block.data.length))).toStrictEqual([
      ...["3000000", 15_000_000],
    ]);
  });

  test("may log what is no text", async () => {
    await using bench = openToolBench();
    const context = bench.context();
    await bench.run(toolDoing("ctx.log(Object.create(null)); ctx.log(undefined); ctx.log([1]); return 1"), {}, context);
    expect(context.lines).toEqual(["[Object: null prototype] {}", "undefined", "[ 1 ]"]);
  });

  test("has its console written to the log", async () => {
    await using bench = openToolBench();
    const context = bench.context();
    await bench.run(toolDoing("console.log('out', { a: 1 }); console.error('err'); return 1"), {}, context);
    await eventually(() => context.lines.includes("err") && context.lines.join("\n").includes("a: 1"));
  });

  test("is loaded anew after it failed to load", async () => {
    await using bench = openToolBench();
    const tool = toolOf('import { help } from "./helper.ts";\nexport const execute = () => help();');
    expect((await bench.run(tool)).isError).toBe(true);
    writeFileSync(join(bench.directory, "helper.ts"), "export const help = () => 'there';");
    expect((await bench.run(tool)).text).toBe("there");
  });

  test("gets a new process when its own has ended meanwhile", async () => {
    await using bench = openToolBench();
    const tool = toolOf("export const execute = () => process.pid;");
    const { text: first } = await bench.run(tool);
    process.kill(Number(first), "SIGKILL");
    const second = await bench.run(tool);
    expect(second.isError).toBe(false);
    expect(second.text).not.toBe(first);
  });

  test("runs in as many processes as calls run at once, and those are used again", async () => {
    await using bench = openToolBench();
    const tool = toolDoing("await Bun.sleep(300); return process.pid");
    const pids = async () => (await Promise.all([1, 2, 3].map(() => bench.run(tool)))).map(({ text }) => text);
    const first = await pids();
    expect(new Set(first).size).toBe(3);
    expect((await pids()).sort()).toEqual(first.sort());
  });
});

describe("variables", () => {
  const environment = {
    ...process.env,
    TICKET: "t-1",
    OTHER_API_KEY: "hidden",
    ANTHROPIC_API_KEY: "hidden",
    LC_TIME: "de_AT",
    https_proxy: "http://me:hidden@proxy:1",
    no_proxy: "localhost",
  };

  test("of one tool are never seen by another", async () => {
    await using bench = openToolBench(environment);
    const body = "return process.env.TICKET + ' ' + Bun.env.TICKET";
    expect((await bench.run(toolDoing(body, { environment: ["TICKET"] }))).text).toBe("t-1 t-1");
    expect((await bench.run(toolDoing(body))).text).toBe("undefined undefined");
    expect((await bench.run(toolDoing(body, { environment: ["TICKET"] }))).text).toBe("t-1 t-1");
  });

  test("in a .env of the current folder or the agent's directory are not read", async () => {
    await using bench = openToolBench(environment);
    writeFileSync(join(bench.directory, ".env"), "TICKET=stolen\nFROM_FILE=1");
    writeFileSync(join(bench.directory, "bunfig.toml"), 'preload = ["./preload.ts"]');
    writeFileSync(join(bench.directory, "preload.ts"), "process.env.FROM_PRELOAD = '1';");
    const { text } = await bench.run(toolDoing("return process.env"));
    expect(text).not.toMatch(/stolen|FROM_FILE|FROM_PRELOAD/);
  });
});

describe("an abort", () => {
  test("reaches the tool's signal also where the tool host is closed right behind it", async () => {
    await using bench = openToolBench();
    const body = `ctx.signal.addEventListener("abort", () => ctx.log("heard"));
await ctx.log("begun");
await new Promise(() => {});`;
    const abortion = new AbortController();
    const context = bench.context(abortion.signal);
    const running = bench.host.call(toolDoing(body), {}, context);
    await eventually(() => expect(context.lines).toContain("begun"));
    abortion.abort();
    await bench.host.close();
    expect(await running).toMatchObject({ isError: true, content: [{ text: "the tool was aborted" }] });
    expect(context.lines).toStrictEqual(["begun", "heard"]);
  });

  test("kills a tool that does not heed it, and what that started", async () => {
    await using bench = openToolBench();
    const abortion = new AbortController();
    const context = bench.context(abortion.signal);
    const body = "Bun.spawn(['sleep', '300']); await ctx.log('begun'); while (true) {}";
    const running = bench.host.call(toolDoing(body), {}, context);
    await eventually(() => expect(context.lines.length).toBeGreaterThan(0));
    expect(processesOf(bench.directory).length).toBeGreaterThan(1);
    abortion.abort();
    expect((await running).isError).toBe(true);
    await eventually(() => !processesOf(bench.directory).some(({ command }) => command.startsWith("sleep")));
  });
});

describe("the end", () => {
  test.each(["while (true) {}", "await new Promise(() => {})", "Bun.spawn(['sleep', '300']); while (true) {}"])(
    "of the agent by a kill ends a tool that does %j",
    async (body) => {
      using folder = temporaryDirectory();
      const script = join(folder.path, "agent.ts");
      const host = join(import.meta.dir, "../../support/tool-bench-process.ts");
      writeFileSync(
        script,
        `import { callForEver } from ${JSON.stringify(host)};\nawait callForEver(${JSON.stringify(folder.path)}, ${JSON.stringify(body)});`,
      );
      const agent = Bun.spawn([process.execPath, script], { cwd: "/", stdout: "pipe" });
      for await (const bytes of agent.stdout) if (Buffer.from(bytes).includes("begun")) break;
      expect(processesOf(folder.path).length).toBeGreaterThan(2);
      agent.kill("SIGKILL");
      await noProcessesOf(folder.path);
    },
  );

  test("of a program that forgets to close is not held up", async () => {
    using folder = temporaryDirectory();
    const script = join(folder.path, "agent.ts");
    const support = join(import.meta.dir, "../../support/tool-bench-process.ts");
    writeFileSync(
      script,
      `import { callOnce } from ${JSON.stringify(support)};\nawait callOnce(${JSON.stringify(folder.path)});`,
    );
    const agent = Bun.spawn([process.execPath, script], { cwd: "/" });
    expect(await agent.exited).toBe(0);
    await noProcessesOf(folder.path);
  });
});

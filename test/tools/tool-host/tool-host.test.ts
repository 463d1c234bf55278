import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolHost } from "@mdx-ai/tools";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { eventually } from "../../support/eventually.ts";
import { noProcessesOf, processesOf } from "../../support/remaining-processes.ts";
import { openToolBench, toolDoing, toolOf } from "../../support/tool-bench.ts";
import { textOf, toolContext } from "../../support/tool-context.ts";

describe("a tool's code", () => {
  test("imports files beside agent.mdx, packages of the agent's directory, node: and bun", async () => {
    await using bench = openToolBench();
    writeFileSync(join(bench.directory, "helper.ts"), "export const help = (text: string): string => text + '!';");
    writeFileSync(join(bench.directory, "data.json"), '{"city":"Vienna"}');
    mkdirSync(join(bench.directory, "node_modules/dep"), { recursive: true });
    writeFileSync(join(bench.directory, "node_modules/dep/package.json"), '{"name":"dep","main":"main.js"}');
    writeFileSync(join(bench.directory, "node_modules/dep/main.js"), "exports.dep = 'packaged';");
    const code = `import { help } from "./helper.ts";
import { dep } from "dep";
import { basename } from "node:path";
import { file } from "bun";
import data from "./data.json";
async function execute() {
  const { help: again } = await import("./helper.ts");
  return [help(dep), again(basename("/a/b")), typeof file, data.city, import.meta.dir, import.meta.file];
}`;
    const { text } = await bench.run(toolOf(code));
    expect(JSON.parse(text)).toEqual(["packaged!", "b!", "function", "Vienna", bench.directory, "agent.mdx"]);
  });

  test("reports parts of its result while it runs, as a text or as a result", async () => {
    await using bench = openToolBench();
    const context = bench.context();
    const body =
      "ctx.update('one'); await Bun.sleep(100); ctx.update({ content: [{ type: 'text', text: 'two' }] }); return 'all'";
    const { text } = await bench.run(toolDoing(body), {}, context);
    expect(text).toBe("all");
    expect(context.partials).toEqual([
      { content: [{ type: "text", text: "one" }] },
      { content: [{ type: "text", text: "two" }] },
    ]);
  });

  test("gets params and a context of agentDir, cwd, sessionId, callId, log, signal and update", async () => {
    await using bench = openToolBench();
    const context = bench.context();
    const body =
      "await ctx.log('working\\non it'); return [params, Object.keys(ctx).sort(), ctx.agentDir, ctx.cwd, ctx.signal.aborted]";
    const { text } = await bench.run(toolDoing(body), { city: "Vienna" }, { ...context, cwd: "/elsewhere" });
    const keys = ["agentDir", "callId", "cwd", "log", "sessionId", "signal", "update"];
    expect(JSON.parse(text)).toEqual([{ city: "Vienna" }, keys, bench.directory, "/elsewhere", false]);
    expect(context.lines).toEqual(["working", "on it"]);
  });

  test("is loaded once and keeps what it remembers", async () => {
    await using bench = openToolBench();
    const tool = toolOf("let calls = 0;\nexport const execute = () => ++calls;");
    for (const call of ["1", "2", "3"]) expect((await bench.run(tool)).text).toBe(call);
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

  test("that a tool names are there, others are not", async () => {
    await using bench = openToolBench(environment);
    const tool = toolDoing("return process.env", { environment: ["TICKET", "NOT_SET"] });
    const { text } = await bench.run(tool);
    expect(JSON.parse(text)).toMatchObject({
      TICKET: "t-1",
      PATH: process.env["PATH"],
      LC_TIME: "de_AT",
      no_proxy: "localhost",
    });
    expect(text).not.toContain("hidden");
    expect(text).not.toContain("NOT_SET");
  });
});

describe("an abort", () => {
  test("reaches the tool's signal, and its process is used again", async () => {
    await using bench = openToolBench();
    const body = `if (params.well) return process.pid;
await ctx.log("pid " + process.pid);
await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
await ctx.log("heard");`;
    const tool = toolDoing(body);
    const abortion = new AbortController();
    const context = bench.context(abortion.signal);
    const running = bench.host.call(tool, {}, context);
    await eventually(() => expect(context.lines.length).toBeGreaterThan(0));
    abortion.abort();
    expect(await running).toMatchObject({ isError: true, content: [{ text: "the tool was aborted" }] });
    expect(context.lines[1]).toBe("heard");
    expect(`pid ${(await bench.run(tool, { well: 1 })).text}`).toBe(context.lines[0] ?? "");
  });
});

describe("the end", () => {
  test("by close answers open calls and leaves no process", async () => {
    await using bench = openToolBench();
    const calls = [1, 2].map(() => bench.run(toolDoing("Bun.spawn(['sleep', '300']); while (true) {}")));
    await eventually(
      () => processesOf(bench.directory).filter(({ command }) => command.startsWith("sleep")).length === 2,
    );
    await bench.host.close();
    for (const result of await Promise.all(calls)) {
      expect(result).toMatchObject({ isError: true, text: "the tool host was closed" });
    }
    await noProcessesOf(bench.directory);
    expect((await bench.run(toolDoing("return 1"))).text).toBe("the tool host is closed");
  });
});

describe("a tool host that cannot start", () => {
  test.each([
    ["its command is missing", { command: ["/nowhere/bun"], cwd: "/" }],
    ["the current folder is gone", { command: toolHostCommand(), cwd: "/nowhere/at/all" }],
    ["its command is another program", { command: ["/bin/true"], cwd: "/" }],
  ])("because %s gives error results", async (_name, { command, cwd }) => {
    const host = new ToolHost({ command, agentDir: "/tmp", cwd, environment: {} });
    const result = await host.call(toolDoing("return 1"), {}, toolContext("/tmp"));
    expect(result.isError).toBe(true);
    expect(textOf(result)).not.toBe("");
    await host.close();
  });
});

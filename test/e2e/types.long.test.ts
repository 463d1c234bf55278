import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { agentWith, typedTool } from "../support/type-check.ts";

const WEATHER = typedTool(
  "get_weather",
  '<Param name="city" description="A city" />\n<Param name="month" type="integer" required="false" description="M" />',
  'import type { GetWeatherParams, ToolContext } from "./agent.d.ts";\nexport async function execute({ city, month }: GetWeatherParams, ctx: ToolContext) {\n  await ctx.log(city);\n  return [city, month?.toFixed()].join(" ");\n}',
);

describe("mdx-ai types", () => {
  test("writes the types that a tool, a source and a module may import, and check agrees with them", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "agent/agent.mdx": agentWith(WEATHER, '<Tool name="now" description="N" src="./tools/now.ts" />\n'),
      "agent/tools/now.ts":
        'import type { NowParams, ToolResult } from "../agent.d.ts";\nexport const execute = (_: NowParams): ToolResult => ({ content: [{ type: "text", text: "noon" }] });\n',
      "agent/modules/m.ts":
        'import type { AgentModule } from "../agent.d.ts";\nexport default { describe: () => ({ name: "m", description: "M" }), initialize: async () => {}, tools: () => [], systemPrompt: () => "", start: async () => {}, stop: () => {} } satisfies AgentModule;\n',
    });
    const written = await runCli(["types", "agent"], { home: home.path });
    expect(written).toStrictEqual({ exitCode: 0, stdout: "agent/agent.d.ts written.\n", stderr: "" });
    const text = readFileSync(join(home.path, "agent/agent.d.ts"), "utf8");
    expect(text).toContain(
      "export interface GetWeatherParams {\n  /** A city */\n  city: string;\n  /** M */\n  month?: number;\n}\n",
    );
    expect(await runCli(["check", "agent"], { home: home.path })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^No mistakes found\./),
    });
    const run = await runCli(["tool", "agent", "get_weather", "city=Graz", "--trust"], { home: home.path });
    expect(run.stdout).toBe("Graz \n");
  });

  test("changes nothing where nothing changed, and with --check exits with 1 where it is out of date", async () => {
    using home = temporaryDirectory();
    const file = join(home.path, "agent/agent.d.ts");
    const check = (): Promise<{ exitCode: number }> => runCli(["types", "agent", "--check"], { home: home.path });
    writeFiles(home.path, { "agent/agent.mdx": agentWith(WEATHER) });
    expect(await check()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("out of date") });
    expect(readdirSync(join(home.path, "agent"))).not.toContain("agent.d.ts");
    await runCli(["types", "agent"], { home: home.path });
    const before = statSync(file, { bigint: true });
    expect(await check()).toMatchObject({ exitCode: 0 });
    expect(await runCli(["types", "agent"], { home: home.path })).toMatchObject({
      stdout: "agent/agent.d.ts is up to date.\n",
    });
    expect(statSync(file, { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
    writeFiles(home.path, { "agent/agent.mdx": agentWith(WEATHER.replace('type="integer"', 'type="string"')) });
    expect(await check()).toMatchObject({ exitCode: 1 });
    await runCli(["types", "agent"], { home: home.path });
    expect(readFileSync(file, "utf8")).toContain("month?: string;");
  });

  test("writes over nothing that it did not write: a file, a link, a folder", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "file/agent.mdx": agentWith(WEATHER),
      "file/agent.d.ts": "export type Own = 1;\n",
      "link/agent.mdx": agentWith(WEATHER),
      "folder/agent.mdx": agentWith(WEATHER),
    });
    mkdirSync(join(home.path, "folder/agent.d.ts"));
    symlinkSync("../file/agent.d.ts", join(home.path, "link/agent.d.ts"));
    for (const name of ["file", "link", "folder"]) {
      expect(await runCli(["types", name], { home: home.path })).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining("was not written by mdx-ai types"),
      });
    }
    expect(readFileSync(join(home.path, "file/agent.d.ts"), "utf8")).toBe("export type Own = 1;\n");
  });

  test("writes nothing for a directory with mistakes, and is not taken for a module", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "bad/agent.mdx": "no </Tool>",
      "good/agent.mdx": agentWith(WEATHER),
      "good/modules/.keep": "",
    });
    expect(await runCli(["types", "bad"], { home: home.path })).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readdirSync(join(home.path, "bad"))).not.toContain("agent.d.ts");
    await runCli(["types", "good"], { home: home.path });
    const { stdout } = await runCli(["inspect", "good", "--trust", "--json"], { home: home.path });
    expect(stdout).not.toContain("agent.d.ts");
  });
});

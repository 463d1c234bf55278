import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { resolveConfiguration, vendorStatuses } from "@mdx-ai/models";
import { COMMANDS } from "../../packages/cli/src/arguments/command-table.ts";
import { EXIT_CODE } from "../../packages/cli/src/failures/program-error.ts";
import { writeFiles } from "../support/agent-files.ts";
import { codeBlocks, codeSpans, tableRows } from "../support/markdown-text.ts";
import { runCli } from "../support/run-cli.ts";
import { runLines } from "../support/run-lines.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");
const readme = await Bun.file(join(ROOT, "README.md")).text();
const [agent = ""] = codeBlocks(readme, "mdx");
const [module = ""] = codeBlocks(readme, "ts");
const commands = codeBlocks(readme, "sh").find((block) => block.includes("npx mdx-ai")) ?? "";

describe("the README's agent", () => {
  test("has about twenty lines", () => {
    const lines = agent.split("\n").filter((line) => line.trim() !== "");
    expect(lines.length).toBeGreaterThan(10);
    expect(agent.split("\n").length).toBeLessThanOrEqual(23);
  });

  test("has no mistakes, and its commands print what the README says", async () => {
    using home = temporaryDirectory();
    await Bun.write(join(home.path, "hello/agent.mdx"), agent);
    const run = await runLines(commands, home.path);
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("0 errors, 1 warning\n8 letters\n8 letters\n"),
    });
    expect(commands.split("\n").filter((line) => line.includes("npx mdx-ai")).length).toBeGreaterThanOrEqual(3);
  });

  test("takes the README's module in", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "hello/agent.mdx": agent, "hello/skills/.keep": "", "hello/modules/greeter.ts": module });
    const run = await runCli(["inspect", "hello", "--trust"], { home: home.path });
    expect(run).toMatchObject({
      exitCode: 0,
      stderr: "",
      stdout: expect.stringContaining("Greet people by their name."),
    });
  });
});

describe("the README describes exactly what exists", () => {
  test("of commands", () => {
    const told = tableRows(readme, "command").map(([command = ""]) => /mdx-ai (\w+)/.exec(command)?.[1]);
    expect([...new Set(told)].sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  test("of the flags of agent", () => {
    const options = COMMANDS.find(({ name }) => name === "agent")?.options.map(({ name }) => `--${name}`) ?? [];
    const [paragraph = ""] = /^Useful flags of `agent`.*?\n\n/ms.exec(readme) ?? [];
    const told = codeSpans(paragraph).flatMap((text) => /^--[a-z-]+/.exec(text)?.[0] ?? []);
    expect(told.length).toBeGreaterThan(5);
    expect(told.filter((flag) => ![...options, "--debug", "--help"].includes(flag))).toEqual([]);
  });

  test("of vendors", async () => {
    const vendors = vendorStatuses(await resolveConfiguration({ environment: {}, cwd: "/" }), {});
    const [list = ""] = /Anthropic, OpenAI,.*?every server/s.exec(readme) ?? [];
    const told = list.split(/,\s+/).slice(0, -1);
    expect(told.map((name) => name.toLowerCase()).sort()).toEqual(vendors.map(({ name }) => name).sort());
  });

  test("of exit codes", () => {
    const [paragraph = ""] = /^Exit codes:.*?\n\n/ms.exec(readme) ?? [];
    const told = [...paragraph.matchAll(/(?:^Exit codes:|·)\s+(\d+)/gm)].map(([, code]) => Number(code));
    expect(told).toEqual(Object.values(EXIT_CODE));
  });

  test("of its own pages and examples", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = ""]) => link);
    const examples = codeSpans(readme).filter((text) => text.startsWith("examples/"));
    expect(links.length).toBeGreaterThan(2);
    for (const path of [...links, ...examples]) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
  });

  test("of npm scripts", async () => {
    const manifest: unknown = await Bun.file(join(ROOT, "package.json")).json();
    const told = [...readme.matchAll(/\b(?:npm|bun) (?:run )?(start|test|[a-z]+)(?=[`\s])/g)].map(
      ([, name = ""]) => name,
    );
    const scripts = told.filter((name) => name === "start" || name === "test");
    expect(scripts.length).toBeGreaterThan(1);
    for (const name of scripts) expect(manifest).toHaveProperty(["scripts", name]);
  });
});

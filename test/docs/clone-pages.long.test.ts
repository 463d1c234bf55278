import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { copyExamples } from "../support/example-copy.ts";
import { otlpCollector } from "../support/otlp-collector.ts";
import { followPage, pageSteps } from "../support/page-run.ts";
import { requireProgram } from "../support/require-program.ts";
import { freePorts, restateServer } from "../support/restate-server.ts";
import { runLines } from "../support/run-lines.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");
const PAGES = ["workspace", "subagents", "sandbox", "telemetry", "scale"];
const textOf = (page: string): Promise<string> => Bun.file(join(ROOT, `docs/${page}.md`)).text();

/** The home folder of a reader who has the examples. */
function readersHome(): ReturnType<typeof temporaryDirectory> {
  const home = temporaryDirectory();
  copyExamples(join(home.path, "examples"));
  return home;
}

describe.skipIf(requireProgram("bwrap"))("a reader with the examples follows", () => {
  test("the page about workspaces, in a project of theirs", async () => {
    using home = readersHome();
    const project = join(home.path, "my-project");
    await Bun.write(join(project, "main.ts"), 'console.log("Hello");\n');
    await Bun.write(join(project, "AGENTS.md"), "Run the tests with bun test.\n");
    await runLines("git init -q my-project", home.path);
    await followPage(await textOf("workspace"), home.path, { ANTHROPIC_API_KEY: "sk-ant-reader" });
  });

  test("the page about agents that work for an agent", async () => {
    using home = readersHome();
    await followPage(await textOf("subagents"), home.path);
  });

  test("the page about the sandbox, whose last settings are without a mistake", async () => {
    using home = readersHome();
    for (const folder of ["data", "work/out"]) mkdirSync(join(home.path, folder), { recursive: true });
    await followPage(await textOf("sandbox"), home.path);
    const { exitCode, stdout, stderr } = await runLines("mdx-ai sandbox examples/weather", home.path);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("The shell");
  });

  test("the page about telemetry, with a collector that gets what it names", async () => {
    using home = readersHome();
    using collector = otlpCollector();
    const page = await textOf("telemetry");
    await followPage(page.replaceAll("http://localhost:4318", collector.url), home.path);
    const names = collector.spans.map(({ name }) => name.replace(/ .*/, ""));
    expect([...new Set(names)].sort()).toEqual(["chat", "execute_tool", "invoke_agent"]);
    expect(collector.points.length).toBeGreaterThan(0);
  });

  test("the page about many machines, with a server", async () => {
    using home = readersHome();
    await using server = await restateServer();
    await Bun.write(join(home.path, "my-agent/agent.mdx"), "# Agent: Mine\n\n## Purpose\n\nHelps.\n");
    const [port = 0] = await freePorts(1);
    const page = (await textOf("scale")).replaceAll("4100", String(port));
    await followPage(page.replaceAll("restate://127.0.0.1:9070", server.address), home.path);
  });
});

test.each(PAGES)("%s shows no block that is neither run, nor written, nor named as left out", async (page) => {
  const steps = pageSteps(await textOf(page));
  expect(steps.filter(({ kind }) => kind === "other")).toEqual([]);
  expect(steps.some(({ kind }) => kind === "commands")).toBe(true);
});

import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../../support/agent-files.ts";
import { type Reply, scriptReference } from "../../support/replies.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const usage = { input: 12, output: 3 };

/** An agent in a folder, and how to run a command line there. */
function agentIn(folder: string) {
  writeFiles(join(folder, "agent"), { "agent.mdx": GREETING_AGENT });
  mkdirSync(join(folder, "shop"));
  const run = (args: readonly string[], cwd = folder) =>
    runCommandLine([...args, "--data", join(folder, "data")], { home: folder, cwd });
  const prompt = (reply: Reply, args: readonly string[], cwd = folder) =>
    run(["../agent", "--trust", "-p", "go", "-m", scriptReference(folder, [reply]), ...args], cwd);
  return { run, prompt, shop: join(folder, "shop") };
}

describe("--output json", () => {
  test.each<[string, Reply, number, object]>([
    ["an answer", { text: "Hello", usage }, 0, { answer: "Hello", outcome: "done", turns: 1 }],
    [
      "a failure",
      { error: { message: "no credit", status: 402 } },
      1,
      { answer: "", outcome: "error", problem: expect.stringContaining("no credit") },
    ],
  ])("prints %s as one object", async (_name, reply, exitCode, expected) => {
    using folder = temporaryDirectory();
    const { prompt, shop } = agentIn(folder.path);
    const result = await prompt(reply, ["--output", "json"], shop);
    expect(result.exitCode).toBe(exitCode);
    const printed: unknown = JSON.parse(result.stdout);
    expect(printed).toMatchObject({ ...expected, session: "main", time: expect.any(Number) });
    expect(Object.keys(Object(printed))).toContain("usage");
    expect(Object.keys(Object(printed))).toContain("cost");
  });

  test.each([
    [["-p", "x", "--json", "--output", "json"], "--json and --output exclude each other"],
    [["-p", "x", "--output", "yaml"], "--output needs text or json"],
    [["--output", "json"], "--output needs a prompt"],
  ])("%j is refused", async (args, message) => {
    using folder = temporaryDirectory();
    const { run } = agentIn(folder.path);
    const { exitCode, stderr } = await run(["./agent", ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("without a session", () => {
  test("trace, replay and sessions show read the newest of the current folder", async () => {
    using folder = temporaryDirectory();
    const { run, prompt, shop } = agentIn(folder.path);
    await prompt({ text: "In the shop", usage }, ["-w", "--session", "first"], shop);
    await prompt({ text: "Elsewhere", usage }, ["--session", "second"], shop);
    const shown = async (...args: readonly string[]) => (await run(args, shop)).stdout;
    expect(await shown("sessions", "../agent", "show")).toContain("In the shop");
    expect(await shown("trace", "../agent")).toContain("first");
    const replay = await run(["replay", "../agent", "--trust", "-w"], shop);
    expect(replay).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("In the shop") });
    const { stdout } = await run(["sessions", "agent", "show"]);
    expect(stdout).toContain("Elsewhere");
  });
});

test("the path of an agent.mdx means its folder", async () => {
  using folder = temporaryDirectory();
  const { run } = agentIn(folder.path);
  const model = scriptReference(folder.path, [{ text: "Hello" }]);
  const { exitCode, stdout } = await run(["agent/agent.mdx", "--trust", "-p", "hi", "-m", model]);
  expect([exitCode, stdout]).toEqual([0, "Hello\n"]);
  const checked = await runCommandLine(["check", "agent/agent.mdx"], { home: folder.path });
  expect([checked.exitCode, checked.stderr]).toEqual([0, ""]);
});

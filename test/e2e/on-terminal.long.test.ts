import { describe, expect, test } from "bun:test";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const CTRL_C = "\u0003";

function promptArgs(home: TemporaryDirectory, ...more: readonly string[]): readonly string[] {
  writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
  const calls = [{ id: "c1", name: "greet", arguments: { name: "Ada" } }];
  const model = scriptReference(home.path, [{ calls, delay: 300 }, { text: "All done." }]);
  return ["agent", "agent", "--prompt", "hi", "--model", model, ...more];
}

describe("on a terminal", () => {
  test("a prompt shows its activity in colour, and that it is thinking", async () => {
    using home = temporaryDirectory();
    await using run = new TerminalRun(promptArgs(home, "--trust"), { home: home.path });
    expect(await run.exited).toBe(0);
    expect(run.output).toContain("\u001b[32m✓");
    expect(run.output).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] thinking/);
    expect(run.output).toEndWith("All done.\r\n");
  });

  test.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])("a prompt has no colours with %j", async (environment) => {
    using home = temporaryDirectory();
    await using run = new TerminalRun(promptArgs(home, "--trust"), { home: home.path, environment });
    expect(await run.exited).toBe(0);
    expect(run.output).toContain("✓ greet Hello Ada");
    for (const colour of ["\u001b[32m", "\u001b[2m", "\u001b[1m"]) expect(run.output).not.toContain(colour);
  });

  test("trust is asked about, with what the directory holds", async () => {
    using home = temporaryDirectory();
    await using run = new TerminalRun(promptArgs(home), { home: home.path });
    await run.shows("Do you trust this directory?");
    expect(run.output).toContain("tools: greet");
    run.write(DOWN + ENTER);
    expect(await run.exited).toBe(0);
    expect(run.output).toContain("All done.");
    expect(await runCommandLine(promptArgs(home), { home: home.path })).toMatchObject({ exitCode: 3 });
  });

  test("trust is kept where the user says so", async () => {
    using home = temporaryDirectory();
    await using run = new TerminalRun(promptArgs(home), { home: home.path });
    await run.shows("Do you trust this directory?");
    run.write(DOWN + DOWN + ENTER);
    expect(await run.exited).toBe(0);
    expect(await runCommandLine(promptArgs(home), { home: home.path })).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ["No", ENTER, 3],
    ["Ctrl+C", CTRL_C, 130],
  ])("an answer of %s runs nothing", async (_name, keys, exitCode) => {
    using home = temporaryDirectory();
    await using run = new TerminalRun(promptArgs(home), { home: home.path });
    await run.shows("Do you trust this directory?");
    run.write(keys);
    expect(await run.exited).toBe(exitCode);
    expect(run.output).not.toContain("greet Hello");
  });

  test("a signal takes the question back", async () => {
    using home = temporaryDirectory();
    await using run = new TerminalRun(promptArgs(home), { home: home.path });
    await run.shows("Do you trust this directory?");
    run.kill("SIGTERM");
    expect(await run.exited).toBe(143);
  });

  test("a conversation asks for trust as well, and begins after it", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
    await using run = new TerminalRun(["agent", "agent"], { home: home.path });
    await run.shows("Do you trust this directory?");
    run.write(DOWN + ENTER);
    await run.shows("Greeter");
    await run.shows("/help");
    run.write(`/quit${ENTER}`);
    expect(await run.exited).toBe(0);
  });

  test("init asks for the directory that is missing", async () => {
    using home = temporaryDirectory();
    await using run = new TerminalRun(["init"], { home: home.path });
    await run.shows("Where should the new agent be?");
    run.write(ENTER);
    expect(await run.exited).toBe(0);
    expect(run.output).toContain("mdx-ai my-agent\r\n");
    const checked = await runCommandLine(["check", "my-agent"], { home: home.path });
    expect(checked.exitCode).toBe(0);
  });
});

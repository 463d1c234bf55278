import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { openInteractive } from "../support/interactive-session.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import type { TmuxTerminal } from "../support/tmux.ts";

async function send(terminal: TmuxTerminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

describe.skipIf(requireProgram("tmux"))("in the interactive session", () => {
  test("/remember, /memories, /forget and /memory are answered without the model, which receives the change with the next prompt", async () => {
    using server = anthropicServer(textReply("Hello Ada."));
    await using run = await openInteractive({
      args: ["--model", "claude-test"],
      environment: server.environment,
      columns: 100,
      rows: 40,
    });
    await send(run.terminal, "/remember I am called Ada");
    await run.terminal.waitFor(/^Remembered as [0-9a-f]{8}, from the next prompt on: I am called Ada$/m);
    await send(run.terminal, "/remember I am called Bob");
    const second = await run.terminal.waitFor(/^Remembered as [0-9a-f]{8}, from the next prompt on: I am called Bob$/m);
    await send(run.terminal, "/memories");
    await run.terminal.waitFor(/^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d {2}I am called Ada$/m);
    await send(run.terminal, `/forget ${/Remembered as (\w+), .* Bob$/m.exec(second)?.[1]}`);
    await run.terminal.waitFor("Forgotten: I am called Bob");
    await send(run.terminal, "/memory Bun, not Node");
    await run.terminal.waitFor(/^Added to AGENT\.md: \* Bun, not Node$/m);
    expect(server.requests).toHaveLength(0);
    expect(readFileSync(join(run.directory, "AGENT.md"), "utf8")).toBe("* Bun, not Node\n");

    await send(run.terminal, "hi");
    await run.terminal.waitFor("Hello Ada.");
    const system = JSON.stringify(JSON.parse(server.requests[0]?.text ?? "{}").system);
    expect(system).toContain("## AGENT.md\\n\\n* Bun, not Node\\n\\n");
    expect(system).toContain('## Long-term memory\\n\\n- I am called Ada"');

    await send(run.terminal, "/quit");
    expect(await run.terminal.exitCode()).toBe(0);
    const log = readFileSync(join(run.directory, "logs/main.jsonl"), "utf8").trimEnd().split("\n");
    const noted = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "tool_result");
    expect(noted.map(({ tool_name, input }) => `${tool_name}: ${input}`)).toContain("/memory: /memory Bun, not Node");
  });

  test("--ephemeral remembers nothing and says so", async () => {
    await using run = await openInteractive({ args: ["--ephemeral"], replies: [], columns: 100 });
    await send(run.terminal, "/remember I am called Ada");
    await run.terminal.waitFor(/^an ephemeral agent keeps no memories; start it without --ephemeral$/m);
    expect(existsSync(join(run.directory, "state"))).toBe(false);
  });
});

test("inspect shows AGENT.md and what is remembered, and changes neither", async () => {
  using home = temporaryDirectory();
  const memories = JSON.stringify([{ id: "1", timestamp: "2026-04-29T09:12:00.000Z", content: "Is called Ada" }]);
  await Bun.write(join(home.path, "agent/agent.mdx"), "# Agent: A\n\n## Purpose\n\nBe tested.\n");
  await Bun.write(join(home.path, "agent/AGENT.md"), "# Rules\n");
  await Bun.write(join(home.path, "agent/state/memory.json"), memories);
  const { stdout, exitCode } = await runCommandLine(["inspect", "agent", "--json"], { home: home.path });
  expect(exitCode).toBe(0);
  const { system } = JSON.parse(stdout);
  expect(system).toContain("## AGENT.md\n\n# Rules\n\n## Tools");
  expect(system).toEndWith("## Long-term memory\n\n- Is called Ada");
  expect(readFileSync(join(home.path, "agent/state/memory.json"), "utf8")).toBe(memories);
});

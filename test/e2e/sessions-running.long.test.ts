import { describe, expect, test } from "bun:test";
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { untilExists } from "../support/eventually.ts";
import { gatedCall, openGate } from "../support/gated-tool.ts";
import { scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const usage = { input: 7, output: 3 };

/** Starts a process that has finished a prompt of session main, and is in the middle of its next one. */
async function runningProcess(home: string) {
  writeFiles(home, { "agent/agent.mdx": MINIMAL_AGENT });
  const prompt = (text: string, model: string): string[] => [
    ...["agent", "agent", "--trust", "--allow", "bash", "--model", model, "--prompt", text],
  ];
  await runCommandLine(prompt("One", scriptReference(home, [{ text: "First.", usage }])), { home });
  const model = scriptReference(home, [
    { text: "Looking.", calls: [{ id: "a", name: "bash", arguments: gatedCall("gate", "touch begun; ") }], usage },
    { text: "Second.", usage },
  ]);
  const child = Bun.spawn(cliCommand(prompt("Two", model)), {
    cwd: home,
    env: cliEnvironment({ home }),
    stdout: "ignore",
    stderr: "ignore",
  });
  await untilExists(join(home, "agent/begun"));
  return child;
}

const sessions = (home: string, ...args: readonly string[]) => runCommandLine(["sessions", "agent", ...args], { home });

describe("a session that another process is using", () => {
  test("is listed, shown, traced and exported with its running prompt and its holder, and as interrupted once that was killed", async () => {
    using home = temporaryDirectory();
    const child = await runningProcess(home.path);
    try {
      const held = `process ${child.pid} since `;
      const list = await sessions(home.path);
      expect(list).toMatchObject({ exitCode: 0, stderr: "" });
      expect(list.stdout).toMatch(new RegExp(`^main .* One \\(running in process ${child.pid}\\)$`, "m"));
      const json = await sessions(home.path, "--json");
      expect(JSON.parse(json.stdout).sessions).toMatchObject([
        { id: "main", prompts: 2, turns: 2, tokens: 20, isUnfinished: true, holder: expect.stringContaining(held) },
      ]);
      const shown = await sessions(home.path, "show", "main");
      expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
      expect(shown.stdout).toContain(`its last prompt is running in ${held}`);
      for (const text of ["One", "First.", "Two", "Looking.", "calls bash"]) expect(shown.stdout).toContain(text);
      const trace = await runCommandLine(["trace", "agent"], { home: home.path });
      expect(trace).toMatchObject({ exitCode: 0, stderr: "" });
      for (const text of ["One", "Two", "bash", `running in ${held}`]) expect(trace.stdout).toContain(text);
      const exported = await sessions(home.path, "export", "main");
      expect(exported.stdout).toContain("> Looking.");
      // None of these took the lock.
      expect(readdirSync(join(home.path, "agent/sessions/main"))).toContain("lock");
      child.kill("SIGKILL");
      await child.exited;
      appendFileSync(join(home.path, "agent/sessions/main/journal.jsonl"), '{"v":1,"prompt":2,"st');
      expect((await sessions(home.path)).stdout).toMatch(/^main .* One \(interrupted\)$/m);
      const [left] = JSON.parse((await sessions(home.path, "--json")).stdout).sessions;
      expect(left).toMatchObject({ prompts: 2, isUnfinished: true });
      expect(left).not.toHaveProperty("holder");
      const after = await sessions(home.path, "show", "main");
      expect(after.stdout).toContain("its last prompt was interrupted");
      expect(after.stdout).toContain("Looking.");
      const traced = await runCommandLine(["trace", "agent"], { home: home.path });
      expect(traced.stdout).toMatch(/^ *└─ interrupted$/m);
      expect(traced.stdout).not.toContain("running in");
    } finally {
      child.kill("SIGKILL");
      openGate(join(home.path, "agent"), "gate");
    }
  });

  test("runs undisturbed while it is listed again and again, and ends as it would have", async () => {
    using home = temporaryDirectory();
    const child = await runningProcess(home.path);
    try {
      for (let count = 0; count < 3; count++) expect((await sessions(home.path, "--json")).exitCode).toBe(0);
      openGate(join(home.path, "agent"), "gate");
      expect(await child.exited).toBe(0);
      const { stdout } = await sessions(home.path, "--json");
      expect(JSON.parse(stdout).sessions).toMatchObject([{ prompts: 2, turns: 3, tokens: 30, isUnfinished: false }]);
      expect(await sessions(home.path, "verify")).toMatchObject({ exitCode: 0, stdout: "main: ok, 2 prompts\n" });
    } finally {
      child.kill("SIGKILL");
      openGate(join(home.path, "agent"), "gate");
    }
  });
});

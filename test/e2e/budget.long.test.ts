import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { agentText } from "../support/team.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const usage = { input: 90, output: 10 };
const LOOK: Reply = { calls: [{ id: "a", name: "list_files", arguments: {} }], usage };
const DONE: Reply = { text: "Done.", usage };

test("a prompt that waits at its limit outlives kill -9: answered while it is dead, it continues, and each answer is counted once", async () => {
  using folder = temporaryDirectory();
  const home = folder.path;
  writeFiles(home, {
    "agent/agent.mdx": agentText("lead", "", "limits: {day: {tokens: 100, on: ask}}\nbuiltins: [list_files]"),
  });
  const run = (replies: readonly Reply[], ...options: readonly string[]) => {
    const args = ["agent", "agent", "--trust", "--model", scriptReference(home, replies), "--wait-for-answers"];
    return Bun.spawn(cliCommand([...args, ...options]), {
      ...{ cwd: home, env: cliEnvironment({ home }), stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
  };
  const answer = (...words: readonly string[]) => runCommandLine(["answer", "agent", ...words], { home });
  const waiting = async (): Promise<unknown> => {
    for (let tries = 0; tries < 400; tries++) {
      const [question] = JSON.parse((await answer("--json")).stdout);
      if (question !== undefined) return question;
      await Bun.sleep(50);
    }
    throw new Error("no question was asked");
  };
  const first = run([LOOK], "-p", "Go");
  await waiting();
  first.kill("SIGKILL");
  await first.exited;
  expect(await waiting()).toMatchObject({
    ...{ id: "1.0.1", kind: "budget", limit: "day.tokens", spent: 100, value: 100, adds: 100, answers: ["yes", "no"] },
  });
  expect((await answer()).stdout).toBe(
    "1.0.1 main stopped at the day's limit of 100 tokens (100 tokens spent); allow 100 tokens more? (yes, no)\n",
  );
  // It is killed again while it waits: nobody gives it up.
  for (let kills = 0; kills < 4; kills++) {
    const again = run([DONE], "--resume");
    const journal = (): string => readFileSync(join(home, "agent/sessions/main/journal.jsonl"), "utf8");
    await eventually(() => expect(journal()).toContain(`"step":"resume:${kills + 1}"`));
    again.kill("SIGKILL");
    await again.exited;
  }
  expect((await answer("1.0.1", "yes")).stdout).toBe("Answered 1.0.1 of session main: once\n");
  const resumed = run([DONE], "--resume");
  expect([await resumed.stdout.text(), await resumed.exited]).toEqual(["Done.\n", 0]);
  const spent = JSON.parse((await runCommandLine(["usage", "agent", "--json"], { home })).stdout);
  expect(spent.total).toMatchObject({ calls: 2, tokens: 200 });
  // The next prompt of the day asks again.
  const next = run([DONE], "-p", "Go");
  expect(await waiting()).toMatchObject({ id: "2.0.1", value: 200 });
  expect((await answer("no")).exitCode).toBe(0);
  expect(await next.exited).toBe(4);
  expect(await next.stderr.text()).toContain("stopped at the day's limit of 200 tokens");
}, 60_000);

test.each([
  ["yes", "\r", 0, "Done."],
  ["no", "\u001b[B\r", 4, "stopped at the limit of 100 tokens"],
] as const)("on a terminal the question about a limit is answered with %s", async (_answer, keys, exitCode, shown) => {
  using folder = temporaryDirectory();
  const home = folder.path;
  const settings = "limits: {tokens: 100, on: ask}\nbuiltins: [list_files]";
  writeFiles(home, { "agent/agent.mdx": agentText("lead", "", settings) });
  const model = scriptReference(home, [LOOK, DONE]);
  await using run = new TerminalRun(["agent", "agent", "-p", "Go", "--trust", "--model", model], { home });
  await run.shows("allow 100 tokens more?");
  await run.shows("no, stop");
  run.write(keys);
  expect(await run.exited).toBe(exitCode);
  expect(run.output).toContain(shown);
});

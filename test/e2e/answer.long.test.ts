import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const TOUCH: Reply = { calls: [{ id: "a", name: "bash", arguments: { command: "touch effect" } }] };
const DONE: Reply = { text: "Done." };

async function user(): Promise<TemporaryDirectory> {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  await runCommandLine(["trust", "agent"], { home: home.path });
  return home;
}

const hasEffect = (home: TemporaryDirectory): boolean => existsSync(join(home.path, "agent/effect"));

const answer = (home: TemporaryDirectory, ...words: readonly string[]): Promise<CliResult> =>
  runCommandLine(["answer", "agent", ...words], { home: home.path });

interface Running extends AsyncDisposable {
  kill(): Promise<void>;
  ended(): Promise<CliResult>;
}

/** A run whose shell command needs an approval, in a process of its own without a terminal. */
function run(home: TemporaryDirectory, replies: readonly Reply[], ...options: readonly string[]): Running {
  const model = scriptReference(home.path, replies);
  const child = Bun.spawn(cliCommand(["agent", "agent", "--sandbox", "off", "--model", model, ...options]), {
    ...{ cwd: home.path, env: cliEnvironment({ home: home.path }) },
    ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  const [stdout, stderr] = [child.stdout.text(), child.stderr.text()];
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return {
    kill,
    ended: async () => ({ exitCode: await child.exited, stdout: await stdout, stderr: await stderr }),
    [Symbol.asyncDispose]: kill,
  };
}

/** The questions that wait, once there are this many. */
async function waiting(home: TemporaryDirectory, count = 1): Promise<readonly unknown[]> {
  for (let tries = 0; ; tries += 1) {
    const { stdout } = await answer(home, "--json");
    const questions: readonly unknown[] = JSON.parse(stdout);
    if (questions.length >= count) return questions;
    if (tries === 100) throw new Error("no question was asked");
    await Bun.sleep(50);
  }
}

describe("a run that waits for answers", () => {
  test("lists its question to another process, whose yes lets the call run", async () => {
    using home = await user();
    await using running = run(home, [TOUCH, DONE], "-p", "Go", "--wait-for-answers");
    expect(await waiting(home)).toMatchObject([
      {
        ...{ id: "1.1.1", session: "main", kind: "approval", tool: "bash", args: { command: "touch effect" } },
        ...{ deadline: null, default: "no", answers: ["yes", "no", "session", "always", "prefix"] },
      },
    ]);
    expect((await answer(home)).stdout).toStartWith("1.1.1 main $ touch effect: ");
    expect(hasEffect(home)).toBe(false);
    expect((await answer(home, "1.1.1", "yes")).stdout).toBe("Answered 1.1.1 of session main: once\n");
    const { exitCode, stdout, stderr } = await running.ended();
    expect([exitCode, stdout]).toEqual([0, "Done.\n"]);
    expect(stderr).toContain(
      "question 1.1.1 is waiting for an answer: mdx-ai answer agent 1.1.1 yes --session main (or no;",
    );
    expect(hasEffect(home)).toBe(true);
    expect((await answer(home, "--json")).stdout).toBe("[]\n");
  });

  test("gives the model the reason of a no, and takes a single question without its id", async () => {
    using home = await user();
    await using running = run(home, [TOUCH, DONE], "-p", "Go", "--wait-for-answers=30");
    const [question] = await waiting(home);
    expect(question).toHaveProperty("deadline", expect.stringMatching(/^\d{4}-.*Z$/));
    expect((await answer(home, "no", "--reason", "not today", "--json")).stdout).toBe(
      `${JSON.stringify({ id: "1.1.1", session: "main", answer: "no" }, undefined, 2)}\n`,
    );
    expect((await running.ended()).exitCode).toBe(0);
    expect(hasEffect(home)).toBe(false);
    expect(readFileSync(join(home.path, "agent/sessions/main/history.json"), "utf8")).toContain("Done.");
    const journal = readFileSync(join(home.path, "agent/sessions/main/journal.jsonl"), "utf8");
    expect(journal).toContain("the user refused it: not today");
    expect(journal).toContain('"by":"command"');
  });

  test("answers no itself when its time is over", async () => {
    using home = await user();
    await using running = run(home, [TOUCH, DONE], "-p", "Go", "--wait-for-answers=1");
    expect((await running.ended()).exitCode).toBe(0);
    expect(hasEffect(home)).toBe(false);
    expect(readFileSync(join(home.path, "agent/sessions/main/journal.jsonl"), "utf8")).toContain("in time");
    expect(await answer(home, "1.1.1", "yes")).toMatchObject({ exitCode: 1 });
  });

  test("is answered while it is dead, and continues as if it had been answered at once", async () => {
    using home = await user();
    await using killed = run(home, [TOUCH], "-p", "Go", "--wait-for-answers");
    await waiting(home);
    await killed.kill();
    cpSync(join(home.path, "agent"), join(home.path, "copy"), { recursive: true });
    expect((await answer(home, "1.1.1", "yes")).exitCode).toBe(0);
    expect(await answer(home, "1.1.1", "yes")).toMatchObject({
      exitCode: 1,
      stderr: "mdx-ai: question 1.1.1 has already been answered\n",
    });
    // A copy of the directory has none of its answers.
    expect((await runCommandLine(["answer", "copy", "--json"], { home: home.path })).stdout).toBe("[]\n");
    await using resumed = run(home, [DONE], "--resume", "-p", "Then");
    await resumed.ended();
    await eventually(() => hasEffect(home));
    const lines = readFileSync(join(home.path, "agent/sessions/main/journal.jsonl"), "utf8").split("\n");
    expect(lines.filter((line) => line.includes('"question"')).length).toBe(1);
  });
});

test("a prompt that waits survives any number of kills, and two sessions have a question each", async () => {
  using home = await user();
  const args = ["-p", "Go", "--wait-for-answers", "--session", "other"];
  for (let kills = 0; kills < 5; kills += 1) {
    await using killed = run(home, [TOUCH], ...(kills === 0 ? args : ["--resume", ...args.slice(2)]));
    await waiting(home);
    if (kills > 0) await eventually(() => expect(resumes(home, "other")).toBe(kills));
    await killed.kill();
  }
  await using main = run(home, [TOUCH, DONE], "-p", "Go", "--wait-for-answers");
  await waiting(home, 2);
  expect(await answer(home, "1.1.1", "yes")).toMatchObject({
    exitCode: 2,
    stderr: "mdx-ai: question 1.1.1 is waiting in several sessions; name one with --session: main, other\n",
  });
  expect(await answer(home, "yes")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      "several questions are waiting; name one: 1.1.1 --session main, 1.1.1 --session other",
    ),
  });
  expect(await answer(home, "1.1.1", "no", "--session", "main")).toMatchObject({ exitCode: 0 });
  expect(await main.ended()).toMatchObject({ exitCode: 0 });
  expect(hasEffect(home)).toBe(false);
  expect(await answer(home, "yes", "--session", "other")).toMatchObject({ exitCode: 0 });
  await using resumed = run(home, [DONE], "--resume", "--session", "other");
  expect(await resumed.ended()).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  expect(hasEffect(home)).toBe(true);
});

const resumes = (home: TemporaryDirectory, session: string): number =>
  readFileSync(join(home.path, `agent/sessions/${session}/journal.jsonl`), "utf8").split('"step":"resume:').length - 1;

test("of two terminals that answer at once, one is too late, and one that answers another session finds nothing", async () => {
  using home = await user();
  await using running = run(home, [TOUCH, DONE], "-p", "Go", "--wait-for-answers");
  await waiting(home);
  await runCommandLine(["agent", "agent", "-p", "hi", "--session", "other", "--model", "offline"], { home: home.path });
  expect(await answer(home, "1.1.1", "yes", "--session", "other")).toMatchObject({
    exitCode: 1,
    stderr: "mdx-ai: no question 1.1.1 is waiting for an answer in session other; none is open\n",
  });
  const both = await Promise.all([answer(home, "1.1.1", "yes"), answer(home, "1.1.1", "no")]);
  expect(both.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1]);
  expect(await running.ended()).toMatchObject({ exitCode: 0 });
  expect(hasEffect(home)).toBe(both[0]?.exitCode === 0);
});

test("a deadline that passes while no process runs answers no, and no one else can", async () => {
  using home = await user();
  await using killed = run(home, [TOUCH], "-p", "Go", "--wait-for-answers=2");
  const [question] = await waiting(home);
  const deadline = Date.parse(String(Object(question).deadline));
  await killed.kill();
  await Bun.sleep(Math.max(0, deadline - Date.now()));
  expect((await answer(home, "--json")).stdout).toBe("[]\n");
  expect(await answer(home, "1.1.1", "yes")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("its answer is no"),
  });
  await using resumed = run(home, [DONE], "--resume", "--wait-for-answers");
  expect(await resumed.ended()).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  expect(hasEffect(home)).toBe(false);
});

test("a run that cannot be answered does not wait, and says why", async () => {
  using home = await user();
  const started = (
    options: readonly string[],
    environment: Readonly<Record<string, undefined>> = {},
  ): Promise<CliResult> =>
    runCommandLine(
      ["agent", "agent", "--trust", "--model", scriptReference(home.path, [TOUCH, DONE]), "-p", "Go", ...options],
      {
        ...{ home: home.path, environment },
      },
    );
  expect(await started(["--wait-for-answers=0"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--wait-for-answers needs a number from 1 to 31536000, but got "0"'),
  });
  expect(await started(["--wait-for-answers", "--ephemeral"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--ephemeral keeps no questions, so --wait-for-answers has no effect"),
  });
  const nowhere = expect.stringContaining("answers are kept nowhere: HOME is not set");
  expect(await started(["--wait-for-answers"], { HOME: undefined })).toMatchObject({ exitCode: 2, stderr: nowhere });
  expect(
    await runCommandLine(["answer", "agent"], { home: home.path, environment: { HOME: undefined } }),
  ).toMatchObject({
    exitCode: 2,
    stderr: nowhere,
  });
});

test("without --wait-for-answers a call that needs a question is refused at once", async () => {
  using home = await user();
  await using running = run(home, [TOUCH, DONE], "-p", "Go");
  expect((await running.ended()).exitCode).toBe(0);
  expect(readFileSync(join(home.path, "agent/sessions/main/journal.jsonl"), "utf8")).toContain("no user can be asked");
});

describe("mdx-ai answer", () => {
  test("says what waits, and what a question takes", async () => {
    using home = await user();
    expect(await answer(home)).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "No question is waiting for an answer.\n",
    });
    expect(await answer(home, "yes")).toMatchObject({
      exitCode: 1,
      stderr: "mdx-ai: no question is waiting for an answer\n",
    });
    expect(await answer(home, "1.1.1", "yes")).toMatchObject({
      exitCode: 1,
      stderr: "mdx-ai: no question 1.1.1 is waiting for an answer in any session; none is open\n",
    });
    await using _running = run(home, [TOUCH, DONE], "-p", "Go", "--wait-for-answers");
    await waiting(home);
    expect(await answer(home, "1.1.1", "maybe")).toMatchObject({
      exitCode: 2,
      stderr: 'mdx-ai: question 1.1.1 takes one of yes, no, session, always, prefix, but got "maybe"\n',
    });
    expect(await answer(home, "1.1.1")).toMatchObject({ exitCode: 2 });
    expect(await answer(home, "--session", "nowhere")).toMatchObject({ exitCode: 1 });
  });
});

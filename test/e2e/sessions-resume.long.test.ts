import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { assistantMessage, userMessage } from "../support/model-request.ts";
import { beginLine } from "../support/prompt-steps.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const call = assistantMessage([{ type: "toolCall", id: "a", name: "bash", arguments: { command: "touch again" } }], {
  stopReason: "toolUse",
});

interface Line {
  readonly prompt: number;
  readonly step: string;
  readonly result?: unknown;
  readonly started?: boolean;
}

/** What a process leaves behind that is killed while a tool runs; and where an input waits in the queue. */
const CUT: readonly Line[] = [
  beginLine(1, "Tidy up"),
  { prompt: 1, step: "model:1", result: call },
  { prompt: 1, step: "policy:1", result: { calls: ["run"] } },
  { prompt: 1, step: "tool:1:a", started: true },
];
const QUEUED: readonly object[] = [{ prompt: 0, step: "queue:1", result: { text: "Then rest", id: "rest", at: 0 } }];

function agentHome(lines: readonly object[] = []): TemporaryDirectory {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
  const journal = lines.map((line) => `${JSON.stringify({ v: 1, ...line })}\n`).join("");
  if (journal !== "") writeText(join(home.path, "sessions/work/journal.jsonl"), journal);
  if (journal !== "") Bun.spawnSync(["chmod", "-R", "go=", join(home.path, "sessions")]);
  return home;
}

const run = (home: TemporaryDirectory, replies: readonly Reply[], ...options: readonly string[]): Promise<CliResult> =>
  runCommandLine(
    ["agent", "--trust", "--session", "work", "--model", scriptReference(home.path, replies), ...options],
    {
      home: home.path,
    },
  );

const types = (stdout: string): readonly string[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).type);

describe("--resume without a prompt", () => {
  test.skipIf(requireProgram("bwrap"))(
    "finishes what was interrupted, says what that was, and runs no tool twice",
    async () => {
      using home = agentHome(CUT);
      const { exitCode, stdout, stderr } = await run(home, [{ text: "Tidied." }], "--resume");
      expect([exitCode, stdout]).toStrictEqual([0, "Tidied.\n"]);
      expect(stderr).toContain('mdx-ai: resuming what was interrupted: "Tidy up" (the outcome of bash is unknown)\n');
      expect(existsSync(join(home.path, "again"))).toBe(false);
      expect(await run(home, [], "--resume")).toEqual({
        exitCode: 0,
        stdout: "",
        stderr: "mdx-ai: nothing to resume\n",
      });
    },
  );

  test("runs the queue, too; each answer goes to standard output, the first bad end is the exit code", async () => {
    using home = agentHome([...CUT, ...QUEUED]);
    const replies = [{ error: { message: "on strike", status: 400 } }, { text: "Rested." }];
    const { exitCode, stdout, stderr } = await run(home, replies, "--resume");
    expect([exitCode, stdout]).toStrictEqual([1, "Rested.\n"]);
    expect(stderr).toMatch(/on strike\n[\s\S]*resuming what was in the queue: "Then rest"\n/);
  });

  test("reports all of it as JSON", async () => {
    using home = agentHome([...CUT, ...QUEUED]);
    const { exitCode, stdout } = await run(home, [{ text: "Tidied." }, { text: "Rested." }], "--resume", "--json");
    expect(exitCode).toBe(0);
    const told = types(stdout).filter((type) => /^(prompt|agent)_/.test(type));
    expect(told).toStrictEqual([
      "prompt_resumed",
      "agent_start",
      "agent_end",
      "prompt_resumed",
      "agent_start",
      "agent_end",
    ]);
    expect(JSON.parse(stdout.split("\n")[0] ?? "")).toStrictEqual({
      type: "prompt_resumed",
      prompt: 1,
      input: "Tidy up",
      state: "interrupted",
      tools: ["bash"],
      id: "1.0",
    });
  });

  test("repeats the events that were reported before the crash, with their ids, and continues from there", async () => {
    using home = agentHome(CUT);
    const { stdout } = await run(home, [{ text: "Tidied." }], "--resume", "--json");
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const ids = events.flatMap(({ type, id }) => (/_update$/.test(type) ? [] : [id]));
    expect(ids).toStrictEqual(Array.from({ length: ids.length }, (_, place) => `1.${place}`));
    expect(events.filter(({ type, id }) => /_update$/.test(type) && id !== undefined)).toStrictEqual([]);
    expect(events.filter(({ type }) => type === "tool_execution_end")).toMatchObject([{ id: "1.8", isError: true }]);
  });

  test.each(["--resume", "--prompt=Hi"])(
    "with %s leaves it to the model it began with if none is configured",
    async (flag) => {
      using home = agentHome([beginLine(1, "Tidy up", { models: [{ provider: "anthropic", name: "claude-x" }] })]);
      const journal = (): string => readFileSync(join(home.path, "sessions/work/journal.jsonl"), "utf8");
      const before = journal();
      for (let time = 0; time < 4; time++) {
        const result = await runCommandLine(["agent", "--trust", "--session", "work", flag], { home: home.path });
        expect([result.exitCode, result.stdout]).toStrictEqual([1, ""]);
        expect(result.stderr).not.toContain("resuming");
        expect(result.stderr).toMatch(
          /prompt 1 was interrupted and began with anthropic\/claude-x, .* --model VENDOR\/NAME/,
        );
      }
      expect(journal()).toBe(before);
      expect((await run(home, [{ text: "Tidied." }], "--resume")).stdout).toBe("Tidied.\n");
    },
  );

  test("ends with exit code 4 if the time of the prompt ran out while nothing ran", async () => {
    using home = agentHome([beginLine(1, "Tidy up", { limits: { seconds: 60 }, deadline: Date.now() - 1 })]);
    const { exitCode, stdout, stderr } = await run(home, [{ text: "never" }], "--resume");
    expect([exitCode, stdout]).toStrictEqual([4, ""]);
    expect(stderr).toContain("60 seconds");
  });

  test.each([
    ["is lost", CUT.slice(1)],
    [
      "has no plan",
      [{ prompt: 1, step: "begin", result: { input: userMessage("Tidy up"), id: "x" } }, ...CUT.slice(1)],
    ],
    ["names no model", [beginLine(1, "Tidy up", { models: [] }), ...CUT.slice(1)]],
  ])("closes a prompt whose beginning %s, and the session can be used", async (_what, lines) => {
    using home = agentHome(lines);
    const { exitCode, stdout, stderr } = await run(home, [{ text: "Hello." }], "--prompt", "Hi");
    expect([exitCode, stdout]).toStrictEqual([0, "Hello.\n"]);
    expect(stderr).toContain("prompt 1 has no beginning that can be read and is closed; its results are kept");
    expect(existsSync(join(home.path, "again"))).toBe(false);
    expect((await runCommandLine(["sessions", ".", "verify", "work"], { home: home.path })).exitCode).toBe(0);
  });

  test.each([
    ["policy:1", { calls: ["maybe"] }],
    ["model:1", { role: "assistant" }],
    ["size:1", {}],
    ["deliver:1", { upTo: "all" }],
    ["hook:beforePrompt", { message: "read this" }],
    ["tool:1:a", "done"],
  ])(
    "closes a prompt whose result of step %s cannot be read; verify finds and closes it, too",
    async (step, result) => {
      const hasStep = CUT.some((line) => line.step === step);
      const damaged = { v: 1, prompt: 1, step, result };
      const lines = hasStep ? CUT.map((line) => (line.step === step ? damaged : line)) : [...CUT, damaged];
      using home = agentHome(lines);
      const verify = (...options: readonly string[]) =>
        runCommandLine(["sessions", ".", "verify", "work", ...options], { home: home.path });
      const says = `prompt 1 has a result of step ${step} that cannot be read`;
      const looked = await verify("--check");
      expect([looked.exitCode, looked.stdout]).toStrictEqual([
        1,
        expect.stringContaining(
          `work: repairable, 1 prompt, the last one unfinished; ${says}, so it can only be closed`,
        ),
      ]);
      using other = agentHome(lines);
      const { exitCode, stdout, stderr } = await run(other, [{ text: "Hello." }], "--prompt", "Hi");
      expect([exitCode, stdout]).toStrictEqual([0, "Hello.\n"]);
      expect(stderr).toContain(`${says} and is closed; its results are kept`);
      expect((await verify()).stdout).toStartWith("work: repaired, 1 prompt;");
      expect((await verify()).stdout).toBe("work: ok, 1 prompt\n");
      expect(existsSync(join(home.path, "again"))).toBe(false);
      const played = await runCommandLine(["replay", ".", "--session", "work"], { home: other.path });
      expect(played.stdout + played.stderr).toContain("prompt 1 was cut short, and its recording ends here");
      expect([played.exitCode, played.stdout]).toStrictEqual([0, expect.stringContaining("Hello.")]);
    },
  );

  test.each(["tool:1:a", "policy:1"])("closes a prompt whose answer is lost while its step %s is not", async (step) => {
    const lines = CUT.filter((line) => line.step === step || line.step === "begin");
    using home = agentHome(lines);
    const { exitCode, stdout, stderr } = await run(home, [{ text: "Hello." }], "--prompt", "Hi");
    expect([exitCode, stdout]).toStrictEqual([0, "Hello.\n"]);
    expect(stderr).toContain("prompt 1 has lost an answer whose calls began and is closed; its results are kept");
    expect(existsSync(join(home.path, "again"))).toBe(false);
    expect((await runCommandLine(["sessions", ".", "verify", "work"], { home: home.path })).exitCode).toBe(0);
  });

  test("says of a prompt that is given up that it is closed, not that it is resumed", async () => {
    const resumes = [1, 2, 3].map((number) => ({ prompt: 1, step: `resume:${number}`, result: { at: 0 } }));
    using home = agentHome([...CUT, ...resumes]);
    const { stderr } = await run(home, [], "--resume");
    expect(stderr).toContain("is closed; its results are kept\n");
    expect(stderr).toContain('mdx-ai: closing what was interrupted: "Tidy up" (the outcome of bash is unknown)\n');
    expect(stderr).not.toContain("resuming");
  });

  test("is an error in a session that is not there, and leaves none behind", async () => {
    using home = agentHome(CUT);
    const { exitCode, stderr } = await runCommandLine(["agent", "--trust", "--resume", "--session", "wrok"], {
      home: home.path,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('there is no session "wrok"');
    expect(existsSync(join(home.path, "sessions/wrok"))).toBe(false);
  });

  test.each([
    { options: ["--ephemeral"], says: "leave one out" },
    { options: ["--session", "new"], says: "a new session has nothing to resume" },
  ])("has no meaning beside $options", async ({ options, says }) => {
    using home = agentHome();
    const { exitCode, stderr } = await runCommandLine(["agent", "--trust", "--resume", ...options], {
      home: home.path,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
  });
});

describe.skipIf(requireProgram("bwrap"))("a new prompt", () => {
  const replies = [{ text: "Tidied." }, { text: "Rested." }, { text: "Hello." }];

  test("comes after the interrupted and queued ones, whose answers go to standard error", async () => {
    using home = agentHome([...CUT, ...QUEUED]);
    const { exitCode, stdout, stderr } = await run(home, replies, "--prompt", "Hi");
    expect([exitCode, stdout]).toStrictEqual([0, "Hello.\n"]);
    expect(stderr).toMatch(/interrupted: "Tidy up"[\s\S]*\nTidied\.\n[\s\S]*in the queue: "Then rest"\nRested\.\n/);
  });

  test("has all their events with --json", async () => {
    using home = agentHome([...CUT, ...QUEUED]);
    const { stdout, stderr } = await run(home, replies, "--prompt", "Hi", "--json");
    expect(types(stdout).filter((type) => type === "agent_end")).toHaveLength(3);
    expect(types(stdout).filter((type) => type === "prompt_resumed")).toHaveLength(2);
    expect(stderr).toBe("");
  });
});

test("a control sequence in an interrupted prompt does nothing to the terminal", async () => {
  const hostile = `\u001b]0;owned\u0007${"x".repeat(5000)}\r\n\u202eback`;
  using home = agentHome([beginLine(1, hostile)]);
  const { stderr } = await run(home, [{ text: "Done." }], "--resume");
  expect(stderr).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  expect(stderr).toMatch(/interrupted: "x{100}…"\n/);
});

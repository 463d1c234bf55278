import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { assistantMessage } from "../support/model-request.ts";
import { beginLine } from "../support/prompt-steps.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const touch = assistantMessage([{ type: "toolCall", id: "a", name: "bash", arguments: { command: "touch effect" } }], {
  stopReason: "toolUse",
});

/** A prompt whose call was decided on and not begun: whoever resumes it runs that. */
const OPEN: readonly object[] = [
  beginLine(1, "Tidy up"),
  { prompt: 1, step: "model:1", result: touch },
  { prompt: 1, step: "policy:1", result: { calls: ["run"] } },
];
const QUEUED: readonly object[] = [{ prompt: 0, step: "queue:1", result: { text: "Then rest", id: "rest", at: 0 } }];

const journalOf = (home: TemporaryDirectory): string => join(home.path, "agent/sessions/work/journal.jsonl");
const keyOf = (home: TemporaryDirectory): string => join(home.path, ".local/state/mdx-ai/session-key");

const textOf = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify({ v: 1, ...line })}\n`).join("");

/** A user with a trusted agent directory, to which somebody added a session. */
async function userWith(lines: readonly object[]): Promise<TemporaryDirectory> {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  await runCommandLine(["trust", "agent"], { home: home.path });
  if (lines.length > 0) writeText(journalOf(home), textOf(lines));
  return home;
}

function run(home: TemporaryDirectory, replies: readonly Reply[], ...options: readonly string[]): Promise<CliResult> {
  const model = scriptReference(home.path, replies);
  const flags = ["--session", "work", "--sandbox", "off", "--allow", "bash", "--model", model];
  return runCommandLine(["agent", "agent", ...flags, ...options], { home: home.path });
}

const hasEffect = (home: TemporaryDirectory): boolean =>
  existsSync(join(home.path, "agent/effect")) || existsSync(join(home.path, "effect"));

/** Cuts the user's own session off where its call has not begun, as a kill does. */
async function interruptOwn(home: TemporaryDirectory): Promise<void> {
  await run(
    home,
    [{ calls: [{ id: "a", name: "bash", arguments: { command: "touch effect" } }] }, { text: "ok" }],
    "--prompt",
    "Tidy up",
  );
  for (const name of ["agent/effect", "effect"]) rmSync(join(home.path, name), { force: true });
  const lines = readFileSync(journalOf(home), "utf8").split(/(?<=\n)/);
  const end = lines.findIndex((line) => line.includes('"started":true'));
  expect(end).toBeGreaterThan(0);
  writeFileSync(journalOf(home), lines.slice(0, end).join(""));
}

describe("a session that this user's program did not begin", () => {
  test("is read and continued by a prompt, and none of its calls run", async () => {
    using home = await userWith([...OPEN, ...QUEUED]);
    const { exitCode, stdout, stderr } = await run(home, [{ text: "Hello." }], "--prompt", "Hi");
    expect([exitCode, stdout]).toStrictEqual([0, "Hello.\n"]);
    expect(hasEffect(home)).toBe(false);
    expect(stderr.split("\n").filter((line) => line.includes("--resume"))).toStrictEqual([
      "mdx-ai: warning: session work: prompt 1 was interrupted, and the session is untrusted: it came from elsewhere; the prompt is closed without running its calls (--resume resumes it)",
      "mdx-ai: warning: session work: an input is queued, and the session is untrusted: it came from elsewhere; the input is removed without running (--resume runs it)",
    ]);
    expect(readFileSync(join(home.path, "agent/sessions/work/history.json"), "utf8")).toContain("Tidy up");
    const again = await run(home, [{ text: "Bye." }], "--prompt", "Again");
    expect([again.stdout, again.stderr]).toStrictEqual(["Bye.\n", expect.not.stringContaining("--resume")]);
    Bun.spawnSync(["chmod", "-R", "go=", join(home.path, "agent/sessions")]);
    expect((await runCommandLine(["sessions", "agent", "verify", "work"], { home: home.path })).exitCode).toBe(0);
  });

  test.each([{ flags: ["--resume"] }, { flags: ["--resume", "--prompt", "Hi"] }])(
    "is resumed with $flags: that is the user's word",
    async ({ flags }) => {
      using home = await userWith([...OPEN, ...QUEUED]);
      const replies = [{ text: "Tidied." }, { text: "Rested." }, { text: "Hello." }];
      const { exitCode, stderr } = await run(home, replies, ...flags);
      expect(exitCode).toBe(0);
      expect(stderr).toContain('resuming what was interrupted: "Tidy up"');
      expect(stderr).toContain('resuming what was in the queue: "Then rest"');
      expect(hasEffect(home)).toBe(true);
    },
  );

  test("needs the user's word again if it is killed again, since others may have changed their lines meanwhile", async () => {
    using home = await userWith(OPEN);
    expect((await run(home, [{ text: "Tidied." }], "--resume")).exitCode).toBe(0);
    const lines = readFileSync(journalOf(home), "utf8").split(/(?<=\n)/);
    const resumed = lines.findIndex((line) => line.includes('"step":"resume:1"'));
    expect(resumed).toBeGreaterThan(0);
    for (const path of ["agent/effect", "effect"]) rmSync(join(home.path, path), { force: true });
    writeFileSync(journalOf(home), lines.slice(0, resumed + 1).join(""));
    const { stdout, stderr } = await run(home, [{ text: "Hello." }], "--prompt", "Hi");
    expect([stdout, hasEffect(home)]).toStrictEqual(["Hello.\n", false]);
    expect(stderr).toContain(
      "prompt 1 was interrupted, and the session is untrusted: it came from elsewhere; the prompt is closed",
    );
  });

  test.each<[string, (home: TemporaryDirectory) => void]>([
    [
      "with the mark of another directory",
      (home) => {
        cpSync(join(home.path, "agent"), join(home.path, "other"), { recursive: true });
        rmSync(join(home.path, "agent"), { recursive: true });
        cpSync(join(home.path, "other"), join(home.path, "copy/agent"), { recursive: true });
      },
    ],
    ["with the mark of another user", (home) => rmSync(keyOf(home))],
  ])("%s: its call does not run", async (what, change) => {
    using home = await userWith([]);
    await interruptOwn(home);
    change(home);
    const directory = what.includes("directory") ? "other" : "agent";
    const model = scriptReference(home.path, [{ text: "Hello." }]);
    const flags = [
      "--session",
      "work",
      "--sandbox",
      "off",
      "--allow",
      "bash",
      "--model",
      model,
      "--trust",
      "--prompt",
      "Hi",
    ];
    const { stdout, stderr } = await runCommandLine(["agent", directory, ...flags], { home: home.path });
    expect(stdout).toBe("Hello.\n");
    expect(stderr).toContain("the session is untrusted: it came from elsewhere");
    expect([hasEffect(home), existsSync(join(home.path, "other/effect"))]).toStrictEqual([false, false]);
  });

  test("is one whose key others can write: a line says what to do, and nothing of it runs", async () => {
    using home = await userWith([]);
    await interruptOwn(home);
    chmodSync(keyOf(home), 0o666);
    const { stdout, stderr } = await run(home, [{ text: "Hello." }], "--prompt", "Hi");
    expect(stdout).toBe("Hello.\n");
    expect(stderr).toContain(`${keyOf(home)} can be written by others; check what is in it, then run: chmod go-w`);
    expect(hasEffect(home)).toBe(false);
  });
});

test("a session whose first process was killed before its first line is the user's own", async () => {
  using home = await userWith([]);
  writeText(journalOf(home), "");
  await interruptOwn(home);
  const { stderr } = await run(home, [{ text: "Tidied." }, { text: "Hello." }], "--prompt", "Hi");
  expect(stderr).toContain('resuming what was interrupted: "Tidy up"');
});

test("a session of the user's own is resumed by the next prompt, and its call runs", async () => {
  using home = await userWith([]);
  await interruptOwn(home);
  expect(statSync(keyOf(home)).mode & 0o777).toBe(0o600);
  const { stdout, stderr } = await run(home, [{ text: "Tidied." }, { text: "Hello." }], "--prompt", "Hi");
  expect(stdout).toBe("Hello.\n");
  expect(stderr).toContain('resuming what was interrupted: "Tidy up"');
  expect(hasEffect(home)).toBe(true);
});

import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

function agentHome(): TemporaryDirectory {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
  return home;
}

const ask = (home: TemporaryDirectory, ...options: readonly string[]) =>
  runCommandLine(
    ["agent", "--trust", "--prompt", "go", "--model", scriptReference(home.path, [{ text: "ok" }]), ...options],
    {
      home: home.path,
    },
  );

const sessions = (home: TemporaryDirectory): readonly string[] =>
  readdirSync(join(home.path, "sessions"))
    .filter((name) => name !== ".ids")
    .sort();

const today = /^\d{4}-\d\d-\d\d_1$/;

describe("--session new", () => {
  test("makes a session named after the day and prints its name", async () => {
    using home = agentHome();
    const { exitCode, stdout, stderr } = await ask(home, "--session", "new");
    expect([exitCode, stdout]).toStrictEqual([0, "ok\n"]);
    const [id = "", ...others] = sessions(home);
    expect(id).toMatch(today);
    expect(others).toStrictEqual([]);
    expect(stderr).toContain(`mdx-ai: session ${id}\n`);
  });

  test("leaves no session and names none where the agent cannot start", async () => {
    using home = agentHome();
    const { exitCode, stderr } = await ask(home, "--session", "new", "--model", "claude-test");
    expect(exitCode).toBe(1);
    expect(stderr).toStartWith("mdx-ai: ANTHROPIC_API_KEY is not set.");
    expect(sessions(home)).toStrictEqual([]);
  });
});

describe("--continue", () => {
  test("continues the most recent session, or main", async () => {
    using home = agentHome();
    expect((await ask(home, "--continue")).exitCode).toBe(0);
    expect(sessions(home)).toStrictEqual(["main"]);
    await ask(home, "--session", "work");
    const { stderr } = await ask(home, "--continue");
    expect(stderr).toContain("mdx-ai: session work\n");
    const journal = await Bun.file(join(home.path, "sessions/work/journal.jsonl")).text();
    expect(journal.split("\n").filter((line) => line.includes('"step":"end"'))).toHaveLength(2);
  });

  test.each([{ options: ["--session", "a", "--continue"] }, { options: ["--ephemeral", "--continue"] }])(
    "has no meaning beside another word on sessions: $options",
    async ({ options }) => {
      using home = agentHome();
      const { exitCode, stderr } = await ask(home, ...options);
      expect(exitCode).toBe(2);
      expect(stderr).toContain("leave one out");
    },
  );
});

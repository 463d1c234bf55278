import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";

import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

/** Runs an agent in a home folder with these arguments. */
function run(home: TemporaryDirectory, replies: readonly Reply[], args: readonly string[]) {
  writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
  const model = scriptReference(home.path, replies);
  return runCommandLine(["agent", "agent", "--trust", "--model", model, ...args], { home: home.path });
}

describe.skipIf(requireProgram("bwrap"))("--exec", () => {
  test("runs one prompt of one line and exits", async () => {
    using home = temporaryDirectory();
    expect(await run(home, [{ text: "Done." }], ["--exec", "Say done"])).toStrictEqual({
      exitCode: 0,
      stdout: "Done.\n",
      stderr: "",
    });
    expect(readFileSync(join(home.path, "agent/sessions/main/history.json"), "utf8")).toContain('"Say done"');
  });

  test.each([
    [["--exec", "one\ntwo"], "--exec takes one line"],
    [["--exec", "one", "--prompt", "two"], "--exec and --prompt name two prompts"],
  ])("%j is wrong usage", async (args, message) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const result = await runCommandLine(["agent", ".", ...args], { home: home.path });
    expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });
});

describe("--debug", () => {
  const replies: readonly Reply[] = [
    { calls: [{ id: "c1", name: "greet", arguments: { name: "Ada" } }], usage: { input: 12, output: 3 } },
    { text: "I said hello" },
  ];

  test("shows the log while a prompt runs, and what each answer took", async () => {
    using home = temporaryDirectory();
    const { stdout, stderr } = await run(home, replies, ["-p", "Greet Ada", "--debug"]);
    expect(stdout).toBe("I said hello\n");
    expect(stderr).toMatch(/^mdx-ai: debug: main#1 user: Greet Ada$/m);
    expect(stderr).toMatch(
      /^mdx-ai: debug: main#1 script\/\S+ answered after \d+ ms: 12 tokens in, 3 out, 15 total, toolUse$/m,
    );
    expect(stderr).toMatch(/^mdx-ai: debug: main#1 tool greet done: Hello Ada$/m);
  });

  test("shows it of an ephemeral agent, too, and nothing unasked", async () => {
    using home = temporaryDirectory();
    const debug = await run(home, replies, ["-p", "Greet Ada", "--debug", "--ephemeral"]);
    expect(debug.stderr).toContain("debug: main#1 user: Greet Ada");
    expect(existsSync(join(home.path, "agent/logs"))).toBe(false);
    expect((await run(home, replies, ["-p", "Greet Ada"])).stderr).not.toContain("debug");
  });
});

import { describe, expect, test } from "bun:test";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A folder with an agent and a model that answers four prompts. */
function folder() {
  const home = temporaryDirectory();
  const answers = ["one", "two", "three", "four"].map((text) => JSON.stringify({ text })).join("\n");
  writeFiles(home.path, {
    "my-agent/agent.mdx": "# Agent: A\n\n## Purpose\n\nAnswer.\n",
    "check/agent.mdx": "# Agent: Check\n\n## Purpose\n\nAnswer.\n",
    "answers.jsonl": answers,
  });
  return home;
}

const MODEL = "script:answers.jsonl";

describe("mdx-ai DIR", () => {
  test
    .skipIf(requireProgram("bwrap"))
    .each([
      [["my-agent", "-p", "hello", "--trust", "-m", MODEL]],
      [["./my-agent", "--trust", "-phello", `-m${MODEL}`]],
      [["-p", "hello", "--trust", "-m", MODEL, "my-agent"]],
      [["agent", "my-agent", "--prompt", "hello", "--trust", "--model", MODEL]],
    ])("runs the agent: %j", async (args) => {
    using home = folder();
    expect(await runCommandLine(args, { home: home.path })).toEqual({ exitCode: 0, stdout: "one\n", stderr: "" });
  });

  test("-s names a session and -c continues the last", async () => {
    using home = folder();
    const run = async (...args: string[]) =>
      (await runCommandLine(["my-agent", "--trust", "-m", MODEL, ...args], { home: home.path })).exitCode;
    expect([await run("-p", "a", "-s", "work"), await run("-p", "b", "-c")]).toEqual([0, 0]);
    const { stdout } = await runCommandLine(["sessions", "my-agent", "show", "work"], { home: home.path });
    expect(stdout).toMatch(/\ba\b[\s\S]*\bb\b/);
  });

  test("is a command if one has the name of the directory", async () => {
    using home = folder();
    const stdout = expect.stringMatching(/^No mistakes found\./);
    expect(await runCommandLine(["check", "check"], { home: home.path })).toMatchObject({ stdout });
  });

  test("runs the agent of the current folder if options are all there is", async () => {
    using home = folder();
    writeFiles(home.path, { "agent.mdx": "# Agent: Here\n\n## Purpose\n\nAnswer.\n" });
    const result = await runCommandLine(["-p", "hello", "--trust", "-m", MODEL], { home: home.path });
    expect(result).toMatchObject({ exitCode: 0, stdout: "one\n" });
  });
});

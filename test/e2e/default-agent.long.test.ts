import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { scriptReference } from "../support/replies.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const DEFAULT = ".config/mdx-ai/agents/default";

/** A home with a project, and an answer of a model. */
function home() {
  const folder = temporaryDirectory();
  const work = join(folder.path, "project");
  mkdirSync(work);
  const prompt = ["-p", "hi", "-m", scriptReference(folder.path, [{ text: "Hello." }])];
  return { ...folder, [Symbol.dispose]: () => folder[Symbol.dispose](), path: folder.path, work, prompt };
}

describe("without a directory, in a folder that is no agent", () => {
  test("a coding agent starts after one question, and then without one", async () => {
    using folder = home();
    const place = { home: folder.path, cwd: folder.work };
    await using run = new TerminalRun(folder.prompt, place);
    await run.shows("Start the coding agent in this folder?");
    expect(run.output).toContain(DEFAULT);
    run.write(DOWN + ENTER);
    expect(await run.exited).toBe(0);
    expect(run.output).toEndWith("Hello.\r\n");
    expect(await runCommandLine(folder.prompt, place)).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
    // Neither the project nor the settings hold what it remembers.
    expect(readdirSync(folder.work)).toEqual([]);
    expect(readdirSync(join(folder.path, DEFAULT)).toSorted()).toEqual([".gitignore", "agent.mdx", "skills"]);
    const sessions = await runCommandLine(["sessions", join(folder.path, DEFAULT), "--json"], place);
    expect(JSON.parse(sessions.stdout).sessions).toHaveLength(2);
  });

  test("after a no nothing is made", async () => {
    using folder = home();
    await using run = new TerminalRun([], { home: folder.path, cwd: folder.work });
    await run.shows("Start the coding agent in this folder?");
    run.write(ENTER);
    expect(await run.exited).toBe(3);
    expect(run.output).toContain("no agent was started; to make your own: mdx-ai init ");
    expect(existsSync(join(folder.path, DEFAULT))).toBe(false);
  });

  test("nobody to ask: the error says how to agree, and --trust does", async () => {
    using folder = home();
    const place = { home: folder.path, cwd: folder.work };
    const refused = await runCommandLine(folder.prompt, place);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain("agree to a coding agent with --trust");
    expect(existsSync(join(folder.path, DEFAULT))).toBe(false);
    expect(await runCommandLine([...folder.prompt, "--trust"], place)).toMatchObject({
      exitCode: 0,
      stdout: "Hello.\n",
    });
    expect(await runCommandLine(folder.prompt, place)).toMatchObject({ exitCode: 0 });
  });

  test("the coding agent works in the folder, and its skill can be read", async () => {
    using folder = home();
    const skill = {
      id: "c1",
      name: "read_file",
      arguments: { path: join(folder.path, DEFAULT, "skills/review/SKILL.md") },
    };
    const write = { id: "c2", name: "write_file", arguments: { path: "a.txt", content: "a" } };
    const model = scriptReference(folder.path, [{ calls: [skill, write] }, { text: "Done." }]);
    const args = ["-p", "hi", "-m", model, "--trust", "--mode", "edits", "--json"];
    const { stdout } = await runCommandLine(args, { home: folder.path, cwd: folder.work });
    expect(stdout).toContain("How to review a change of code");
    expect(existsSync(join(folder.work, "a.txt"))).toBe(true);
  });

  test("the user's own default agent starts; it is trusted like any other", async () => {
    using folder = home();
    using server = anthropicServer(textReply("Hi."));
    writeFiles(join(folder.path, DEFAULT), { "agent.mdx": GREETING_AGENT });
    const options = { home: folder.path, cwd: folder.work, environment: server.environment };
    const args = ["-m", "anthropic/x", "-p", "hi"];
    expect(await runCommandLine(args, options)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("not trusted"),
    });
    expect(await runCommandLine([...args, "--trust"], options)).toMatchObject({ exitCode: 0, stdout: "Hi.\n" });
    expect(server.requests[0]?.text).toContain("greet");
  });

  test("a folder with an agent.mdx is that agent, also without any word", async () => {
    using folder = home();
    writeFiles(folder.work, { "agent.mdx": "## Purpose\n\nx {" });
    const { exitCode, stderr } = await runCommandLine([], { home: folder.path, cwd: folder.work });
    expect(exitCode).toBe(2);
    expect(stderr).not.toContain("no agent is named");
    expect(stderr).toContain("conversation needs a terminal");
  });
});

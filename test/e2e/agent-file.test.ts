import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const REVIEWER = `---
name: code-reviewer
description: Use this agent when: code was written. <example>user: "x"</example>
tools: Read, Grep
model: inherit
---

You review code, such as {this} and <that>.

# Rules

* Be {brief}.
`;

const PROMPT = "You review code, such as {this} and <that>.\n\n# Rules\n\n* Be {brief}.";

function project(files: Readonly<Record<string, string>> = {}): TemporaryDirectory {
  const home = temporaryDirectory();
  writeFiles(home.path, { "work/.claude/agents/reviewer.md": REVIEWER, ...files });
  return home;
}

const FILE = "work/.claude/agents/reviewer.md";

function ask(home: TemporaryDirectory, args: readonly string[], replies: readonly Reply[]): Promise<CliResult> {
  const model = scriptReference(home.path, replies);
  return runCommandLine(["agent", FILE, "--trust", "--model", model, ...args], { home: home.path });
}

const usage = { input: 5, output: 3 };

describe("an agent that is one file", () => {
  test("runs as it is, and its conversation continues, also by another path", async () => {
    using home = project();
    const before = statSync(join(home.path, FILE)).mtimeMs;
    const first = await ask(home, ["-p", "One"], [{ text: "First.", usage }]);
    expect(first).toMatchObject({ exitCode: 0, stdout: "First.\n" });
    const second = await runCommandLine(
      [
        "agent",
        "./reviewer.md",
        "--trust",
        "--continue",
        "-p",
        "Two",
        "--model",
        scriptReference(home.path, [{ text: "Second.", usage }]),
      ],
      { home: home.path, cwd: join(home.path, "work/.claude/agents") },
    );
    expect(second).toMatchObject({ exitCode: 0, stdout: "Second.\n" });
    const shown = await runCommandLine(["sessions", FILE, "show", "main"], { home: home.path });
    for (const text of ["One", "First.", "Two", "Second."]) expect(shown.stdout).toContain(text);
    const traced = await runCommandLine(["trace", FILE], { home: home.path });
    expect(traced).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Two") });
    expect(readdirSync(join(home.path, "work/.claude/agents"))).toEqual(["reviewer.md"]);
    expect(statSync(join(home.path, FILE)).mtimeMs).toBe(before);
  });

  test("gives the model its prompt as the file shows it", async () => {
    using home = project({ "work/CLAUDE.md": "# Project\n\nUse tabs.\n" });
    using server = anthropicServer(textReply("Yes."));
    const result = await runCommandLine(["agent", FILE, "--trust", "-p", "Hi", "--model", "anthropic/claude-test"], {
      home: home.path,
      environment: server.environment,
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: "Yes.\n" });
    const sent: unknown = JSON.parse(server.requests[0]?.text ?? "{}");
    expect(JSON.stringify(sent)).toContain(JSON.stringify(PROMPT).slice(1, -1));
    expect(JSON.stringify(sent)).toContain("Use tabs.");
  });

  test("is asked about until it is trusted, and is checked, inspected and listed by its path", async () => {
    using home = project({ "work/.claude/settings.json": '{"permissions": {"allow": ["Bash(git log:*)"]}}' });
    const run = (...args: readonly string[]): Promise<CliResult> => runCommandLine(args, { home: home.path });
    const refused = await run("agent", FILE, "-p", "Hi");
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain(`mdx-ai trust ${join(home.path, FILE)}`);
    expect(await run("check", FILE)).toMatchObject({ exitCode: 0 });
    expect((await run("inspect", FILE)).stdout).toContain("You review code, such as {this} and <that>.");
    expect(await run("sessions", FILE)).toMatchObject({ exitCode: 0, stderr: "There is no session yet.\n" });
    expect(await run("trust", FILE)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(FILE) });
    expect((await run("trust", "--list")).stdout).toContain(FILE);
    expect(await run("agent", FILE, "-p", "Hi")).toMatchObject({ exitCode: 0 });
    writeFileSync(join(home.path, "work/.claude/settings.json"), '{"permissions": {"allow": ["Bash(git:*)"]}}');
    expect(await run("agent", FILE, "-p", "Hi")).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("has changed since it was trusted"),
    });
    expect(await run("trust", FILE, "--remove")).toMatchObject({ exitCode: 0 });
  });

  test("is read again when it has changed, and keeps its sessions and the user's notes", async () => {
    using home = project({ "work/CLAUDE.md": "Use tabs.\n" });
    await ask(home, ["-p", "One"], [{ text: "First.", usage }]);
    const agents = join(home.path, ".local/state/mdx-ai/agents");
    const [folder = ""] = readdirSync(agents);
    writeFileSync(join(agents, folder, "AGENT.md"), "* be kind\n");
    writeFiles(home.path, { [FILE]: REVIEWER.replace("brief", "thorough"), "work/CLAUDE.md": "Use spaces.\n" });
    await ask(home, ["-p", "Two"], [{ text: "Second.", usage }]);
    expect(readdirSync(agents)).toEqual([folder]);
    expect(readdirSync(join(agents, folder)).sort()).toEqual(["AGENT.md", "logs", "sessions", "state"]);
    const { stdout } = await runCommandLine(["inspect", FILE, "--trust"], { home: home.path });
    for (const text of ["* Be {thorough}.", "Use spaces.", "* be kind"]) expect(stdout).toContain(text);
    expect(stdout).not.toContain("Use tabs.");
    const shown = await runCommandLine(["sessions", FILE, "show", "main"], { home: home.path });
    for (const text of ["One", "Two"]) expect(shown.stdout).toContain(text);
  });

  test("is read without a trace on the disk, and its skills stay where they are", async () => {
    const skill = (name: string): string => `---\nname: ${name}\ndescription: Reviews code.\n---\nRead it twice.\n`;
    using home = project({
      [FILE]: REVIEWER.replace("model: inherit", "skills: review, broken"),
      "work/.claude/skills/review/SKILL.md": skill("review"),
      "work/.claude/skills/broken/SKILL.md": "---\nname: broken\n---\n",
    });
    const run = (...args: readonly string[]): Promise<CliResult> => runCommandLine(args, { home: home.path });
    const checked = await run("check", FILE);
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("skills/broken/SKILL.md") });
    expect(await run("trust", FILE)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("review") });
    expect(existsSync(join(home.path, ".local/state/mdx-ai/agents"))).toBeFalse();
    const { stdout } = await run("inspect", FILE);
    expect(stdout).toContain(join(home.path, "work/.claude/skills/review/SKILL.md"));
    expect(stdout).not.toContain("broken");
    writeFiles(home.path, { "work/.claude/skills/review/SKILL.md": skill("review").replace("twice", "three times") });
    expect(await run("agent", FILE, "-p", "Hi")).toMatchObject({ exitCode: 3 });
  });

  test("may use the tools that it declares, in its folder", async () => {
    using home = project({ [FILE]: "---\nname: writer\ntools: Read, Write\n---\nWrite.\n" });
    const call = (id: string, name: string, args: Readonly<Record<string, string>>): Reply => ({
      calls: [{ id, name, arguments: args }],
      usage,
    });
    const result = await ask(
      home,
      ["-p", "Go", "--json"],
      [
        call("1", "write_file", { path: "out.txt", content: "text" }),
        call("2", "read_file", { path: "out.txt" }),
        call("3", "bash", { command: "echo no" }),
        { text: "Done.", usage },
      ],
    );
    expect(result.exitCode).toBe(0);
    const ends = result.stdout.split("\n").filter((line) => line.includes('"tool_execution_end"'));
    expect(ends.map((line) => JSON.parse(line).isError)).toEqual([false, false, true]);
  });

  test.each(["lock", "types"])("has no folder for what %s writes", async (command) => {
    using home = project();
    const stderr = expect.stringContaining(`mdx-ai init DIR --from ${join(home.path, FILE)}`);
    expect(await runCommandLine([command, FILE], { home: home.path })).toMatchObject({ exitCode: 2, stderr });
  });

  test.each([
    ["empty", "empty.md", "is empty"],
    ["another kind of file", "notes.txt", "expected an agent directory"],
  ])("is refused if it is %s", async (_what, name, problem) => {
    using home = project({ "work/empty.md": "", "work/notes.txt": "x" });
    const result = await runCommandLine(["agent", join("work", name), "-p", "x"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(problem) });
  });
});

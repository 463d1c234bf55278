import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { runLines } from "../support/run-lines.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

describe("mdx-ai init", () => {
  test.skipIf(requireProgram("bwrap"))("makes an agent that is valid, trusted, and works without a key", async () => {
    using home = temporaryDirectory();
    const made = await runCommandLine(["init", "new/my-agent"], { home: home.path });
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    expect(made.stdout).toContain("mdx-ai new/my-agent");
    const directory = join(home.path, "new/my-agent");
    expect(readdirSync(directory).sort()).toEqual([".gitignore", "agent.mdx", "skills"]);
    expect(readFileSync(join(directory, ".gitignore"), "utf8")).toMatch(/^sessions\/\nstate\/\nlogs\/$/m);
    expect(readFileSync(join(directory, "agent.mdx"), "utf8")).toContain("# Agent: My Agent\n");

    const checked = await runCommandLine(["check", directory], { home: home.path });
    const next = `Test it: mdx-ai test ${directory}; run it: mdx-ai ${directory}`;
    expect(checked).toEqual({ exitCode: 0, stdout: `No mistakes found. ${next}\n`, stderr: "" });
    const tool = await runCommandLine(["tool", directory, "count_words", "text=to be or not to be", "unique=true"], {
      home: home.path,
    });
    expect(tool).toEqual({ exitCode: 0, stdout: "4 words, 18 characters\n", stderr: "" });
    const tested = await runCommandLine(["test", directory], { home: home.path });
    expect(tested).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("1 passed") });
    const prompt = 'count_words text="to be or not to be"';
    const answer = await runCommandLine(["agent", directory, "--prompt", prompt], { home: home.path });
    expect(answer).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("6 words, 18 characters") });
  });

  test("shows commands that a shell takes as they are meant", async () => {
    using home = temporaryDirectory();
    const { stdout } = await runCommandLine(["init", "$(touch mark) it's"], { home: home.path });
    expect(stdout).toContain(`mdx-ai '$(touch mark) it'\\''s'\n`);
  });

  test("changes nothing where one of its files exists", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "a/skills/summary/SKILL.md": "mine" });
    const result = await runCommandLine(["init", "a"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readdirSync(join(home.path, "a"))).toEqual(["skills"]);
    expect(readFileSync(join(home.path, "a/skills/summary/SKILL.md"), "utf8")).toBe("mine");
  });

  test("does not trust what it did not make", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "a/modules/evil.ts": "throw new Error()", "a/README.md": "x" });
    const result = await runCommandLine(["init", "a"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("mdx-ai trust") });
    expect(await runCommandLine(["tool", "a", "count_words", "text=x"], { home: home.path })).toMatchObject({
      exitCode: 3,
    });
  });

  test("trusts a new agent with its edits, but as it is in a folder that held other files", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "old/package.json": "{}", "new/.git/HEAD": "" });
    for (const folder of ["new", "old"]) await runCommandLine(["init", folder], { home: home.path });
    const { stdout } = await runCommandLine(["trust", "--list"], { home: home.path });
    expect(stdout).toMatch(/\/new {2}since \S+, with its edits\n.*\/old {2}since \S+ {2}sha256 \w+\n$/);
  });

  test("keeps other files of a folder, and works where no trust can be kept", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "a/README.md": "x" });
    const result = await runCommandLine(["init", "a"], { home: home.path, environment: { HOME: undefined } });
    expect(result).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(home.path, "a")).sort()).toEqual([".gitignore", "README.md", "agent.mdx", "skills"]);
  });

  test.each([
    ["日本 agent", "日本 Agent"],
    ["...", "Assistant"],
    ["{x} <y>", "X Y"],
  ])("makes a valid agent in a folder named %j", async (folder, name) => {
    using home = temporaryDirectory();
    expect(await runCommandLine(["init", join("in", folder)], { home: home.path })).toMatchObject({ exitCode: 0 });
    const checked = await runCommandLine(["check", join("in", folder)], { home: home.path });
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^No mistakes found\./) });
    expect(readFileSync(join(home.path, "in", folder, "agent.mdx"), "utf8")).toContain(`# Agent: ${name}\n`);
  });

  test.each(["minimal", "coder", "daily"])(
    "makes a valid agent from the template %s, whose suggestions work",
    async (name) => {
      using home = temporaryDirectory();
      const made = await runCommandLine(["init", "a", "--template", name], { home: home.path });
      expect(made).toMatchObject({ exitCode: 0, stderr: "" });
      const suggested = made.stdout.split("\n").filter((line) => /^ {2}mdx-ai (check|test|a -p) /.test(line));
      expect(suggested.length).toBeGreaterThan(0);
      expect(await runLines(suggested.join("\n"), home.path)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining("No mistakes found."),
      });
    },
  );

  test("suggests to run an agent for projects in one, by its absolute path", async () => {
    using home = temporaryDirectory();
    const made = await runCommandLine(["init", "agents/coder", "--template", "coder"], { home: home.path });
    expect(made.stdout).toBe(
      `Made agents/coder: works on the code of the project in which you start it. Try it:

  mdx-ai check agents/coder

Then, in your project:

  mdx-ai ${join(home.path, "agents/coder")}
`,
    );
    writeFiles(home.path, { "code/app/a.txt": "" });
    const options = { home: home.path, cwd: join(home.path, "code/app") };
    expect(await runCommandLine([join(home.path, "agents/coder"), "-p", "list_files path=."], options)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("a.txt"),
    });
  });

  test("suggests commands that work where the folder has the name of a command", async () => {
    using home = temporaryDirectory();
    const made = await runCommandLine(["init", "test"], { home: home.path });
    const suggested = made.stdout.split("\n").filter((line) => /^ {2}mdx-ai (check|test|\S+ -p) /.test(line));
    expect(suggested.map((line) => line.trim().split(" ").slice(0, 3).join(" "))).toEqual([
      "mdx-ai check test",
      "mdx-ai test test",
      "mdx-ai ./test -p",
    ]);
    expect(await runLines(suggested.join("\n"), home.path)).toMatchObject({ exitCode: 0 });
  });

  test("names the templates if one is unknown, and makes nothing", async () => {
    using home = temporaryDirectory();
    const made = await runCommandLine(["init", "a", "--template", "code"], { home: home.path });
    expect(made).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("tools, minimal, coder, daily"),
    });
    expect(readdirSync(home.path)).not.toContain("a");
  });
});

describe("mdx-ai init --from", () => {
  const files = {
    "p/CLAUDE.md": "Use tabs.\n",
    "p/.claude/agents/r.md": "---\nname: r\ntools: Read, Grep\neffort: high\n---\nReview {this}.\n",
  };

  test("makes a directory that is valid and not trusted, and reports what became of each part", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, files);
    const made = await runCommandLine(["init", "new/r", "--from", "p/.claude/agents/r.md"], { home: home.path });
    expect(made).toEqual({ exitCode: 0, stderr: "", stdout: REPORT });
    expect(readdirSync(join(home.path, "new"))).toEqual(["r"]);
    const directory = join(home.path, "new/r");
    expect(readdirSync(directory).sort()).toEqual([".gitignore", "AGENT.md", "agent.mdx", "skills"]);
    expect(await runCommandLine(["check", "new/r"], { home: home.path })).toMatchObject({ exitCode: 0 });
    expect(await runCommandLine(["new/r", "-p", "x"], { home: home.path })).toMatchObject({ exitCode: 3 });
    expect(await runCommandLine(["trust", "new/r"], { home: home.path })).toMatchObject({ exitCode: 0 });
    expect(await runCommandLine(["new/r", "-p", "x"], { home: home.path })).toMatchObject({ exitCode: 0 });
  });

  const REPORT = `Made new/r from p/.claude/agents/r.md, a subagent file of Claude Code.

Translated:
  p/.claude/agents/r.md:3  tools → builtins: read_file, grep
  p/CLAUDE.md  → AGENT.md

Left out:
  p/.claude/agents/r.md:4  the key effort

Look at it, trust it, and run it:

  mdx-ai check new/r
  mdx-ai trust new/r
  mdx-ai new/r
`;

  test("reports nothing of a prompt that is taken as it is", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "prompt.md": "You are {kind}.\n" });
    const { stdout } = await runCommandLine(["init", "q", "--from", "prompt.md"], { home: home.path });
    expect(stdout).toStartWith("Made q from prompt.md, a prompt in Markdown.\n\nLook at it,");
  });

  test("suggests each subagent of a folder", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, files);
    const made = await runCommandLine(["init", "q", "--from", "p"], { home: home.path });
    expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("  mdx-ai q\n  mdx-ai q/agents/r\n") });
    expect(await runCommandLine(["check", "q/agents/r"], { home: home.path })).toMatchObject({ exitCode: 0 });
  });

  test("makes an agent that works in the project with the coding tools, and receives its instructions once", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, files);
    await runCommandLine(["init", "q", "--from", "p"], { home: home.path });
    const options = { home: home.path, cwd: join(home.path, "p") };
    for (const agent of ["q", "q/agents/r"]) {
      const { stdout } = await runCommandLine(["inspect", `../${agent}`, "--trust", "--json"], options);
      const { system } = JSON.parse(stdout);
      expect(system).toContain(`You work in ${options.cwd}: commands run there`);
      expect(system.split("Use tabs.")).toHaveLength(2);
    }
    const { stdout } = await runCommandLine(["inspect", "../q", "--trust", "--json"], options);
    expect(JSON.parse(stdout).system).toContain("- edit_file: ");
  });

  test.each([
    ["the directory exists", ["p", "--from", "p/CLAUDE.md"], "name a new folder"],
    ["the source does not exist", ["q", "--from", "none.md"], "does not exist"],
    ["a template is named, too", ["q", "--from", "p", "--template", "minimal"], "exclude each other"],
  ])("changes nothing where %s", async (_what, args, problem) => {
    using home = temporaryDirectory();
    writeFiles(home.path, files);
    const made = await runCommandLine(["init", ...args], { home: home.path });
    expect(made).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(problem) });
    expect(readdirSync(join(home.path, "p")).sort()).toEqual([".claude", "CLAUDE.md"]);
    expect(readdirSync(home.path)).not.toContain("q");
  });
});

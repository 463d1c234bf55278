import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const agentText = (frontmatter = ""): string => `${frontmatter}# Agent: Coder

## Purpose

Writes code.

<Tool name="where" description="Says where it works">
\`\`\`ts
async function execute(args, ctx) {
  return ctx.cwd + "|" + ctx.agentDir;
}
\`\`\`
</Tool>
`;

/** A home folder with an agent in `agent`, and a repository in `repo` whose folder `repo/work` the user is in. */
function home(frontmatter?: string): TemporaryDirectory & { readonly work: string } {
  const folder = temporaryDirectory();
  const path = realpathSync(folder.path);
  writeFiles(path, {
    "agent/agent.mdx": agentText(frontmatter),
    "agent/skills/tea/SKILL.md": "---\nname: tea\ndescription: Make tea\n---\n\nBoil water in {baseDir}.\n",
    "repo/AGENTS.md": "Use tabs.",
    "repo/work/AGENTS.md": "Use spaces here.",
    "repo/work/hello.txt": "hello from the workspace",
  });
  mkdirSync(join(path, "repo/.git"));
  return { path, work: join(path, "repo/work"), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const call = (name: string, args: Record<string, string>): Reply => ({
  calls: [{ id: `c_${name}`, name, arguments: args }],
});

async function prompt(
  folder: ReturnType<typeof home>,
  replies: readonly Reply[],
  args: readonly string[] = ["-w"],
): Promise<CliResult> {
  const model = scriptReference(folder.path, [...replies, { text: "Done." }]);
  const command = ["agent", "../../agent", "--trust", "--model", model, "--prompt", "go", ...args];
  return runCli(command, { home: folder.path, cwd: folder.work });
}

describe.skipIf(requireProgram("bwrap"))("the folder in which tools work", () => {
  test.each<[what: string, frontmatter: string | undefined, args: readonly string[], where: "work" | "agent"]>([
    ["without a workspace, the agent directory", undefined, [], "agent"],
    ["-w, the current folder", undefined, ["-w"], "work"],
    ["--workspace", undefined, ["--workspace", "."], "work"],
    ["--cwd, the older name", undefined, ["--cwd=."], "work"],
    ["workspace: cwd in the frontmatter", "---\nworkspace: cwd\n---\n", [], "work"],
    ["--workspace over the frontmatter", "---\nworkspace: cwd\n---\n", ["--workspace", "../../agent"], "agent"],
  ])("%s", async (_what, frontmatter, args, where) => {
    using folder = home(frontmatter);
    const tool = ["tool", "../../agent", "where", "--trust", ...args];
    const { stdout, stderr } = await runCli(tool, { home: folder.path, cwd: folder.work });
    const agent = join(folder.path, "agent");
    expect([stdout, stderr]).toEqual([`${where === "work" ? folder.work : agent}|${agent}\n`, ""]);
  });

  test.each<[args: readonly string[], message: string]>([
    [["-w", "--workspace", "."], "--workspace and -w name two workspaces; leave one out"],
    [["--cwd", ".", "--workspace", "."], "--workspace and --cwd name two workspaces; leave one out"],
    [["--workspace", "nowhere"], "nowhere is not a folder"],
    [["--workspace", "hello.txt"], "hello.txt is not a folder"],
    [["--workspace="], '--workspace "" is not a folder'],
    [["--mode", "fast"], '--mode needs plan, ask, edits or all, but got "fast"'],
    [["--mode", "plan", "--allow-all"], "--allow-all has no effect"],
  ])("%p is a usage error", async (args, message) => {
    using folder = home();
    const options = { home: folder.path, cwd: folder.work };
    const { exitCode, stderr } = await runCommandLine(["agent", "../../agent", "-p", "x", ...args], options);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test("another value in the frontmatter, and a mode that a directory cannot give itself, are errors at their place", async () => {
    using folder = home("---\nworkspace: home\npermissions:\n  mode: all\n  bash: ask\n---\n");
    const { exitCode, stdout, stderr } = await runCommandLine(["check", "agent"], { home: folder.path });
    expect(exitCode).toBe(2);
    expect(`${stdout}${stderr}`).toMatch(/agent\.mdx:2:12 .*`workspace`, expected `cwd`/);
    expect(`${stdout}${stderr}`).toMatch(/agent\.mdx:4:9 .*`permissions.mode`, expected `ask` or `plan`/);
  });
});

describe("a prompt in a workspace, without anyone to ask", () => {
  test("reads and writes there, also with the shell", async () => {
    using folder = home();
    const { stdout, stderr } = await prompt(
      folder,
      [
        call("read_file", { path: "hello.txt" }),
        call("write_file", { path: "src/new.txt", content: "new" }),
        call("bash", { command: "pwd > here.txt" }),
      ],
      ["-w", "--allow", "bash"],
    );
    expect([stdout, stderr]).toEqual(["Done.\n", expect.not.stringContaining("✗")]);
    expect(readFileSync(join(folder.work, "src/new.txt"), "utf8")).toBe("new");
    expect(readFileSync(join(folder.work, "here.txt"), "utf8")).toBe(`${folder.work}\n`);
    expect(existsSync(join(folder.path, "agent/src"))).toBe(false);
  });

  test("reads the repository around it, but for its secrets, and nothing further out", async () => {
    using folder = home();
    writeFiles(folder.path, { "repo/.git/HEAD": "", "repo/package.json": "{}", "repo/.env": "A=1", "other.txt": "x" });
    const reads = ["../package.json", "../.env", "../../other.txt"].map((path) => call("read_file", { path }));
    const { stderr } = await prompt(folder, [...reads, call("write_file", { path: "../new.txt", content: "" })]);
    expect(stderr.split("\n").filter((line) => line.includes("not run"))).toEqual([
      expect.stringContaining("reads a file of variables"),
      expect.stringContaining("reads outside the agent directory and the repository of the workspace"),
      expect.stringContaining("writes outside the agent directory and the workspace"),
    ]);
  });

  test("writes nothing that runs on its own, and nothing of the agent", async () => {
    using folder = home();
    const { stderr } = await prompt(folder, [
      call("write_file", { path: ".envrc", content: "x" }),
      call("write_file", { path: "../../agent/agent.mdx", content: "x" }),
    ]);
    expect(stderr).toContain(
      "runs when a shell starts or enters the folder, and no user can be asked; allow it with --allow",
    );
    expect(stderr).toContain("which defines the agent");
    expect(existsSync(join(folder.work, ".envrc"))).toBe(false);
  });

  test.each<[what: string, frontmatter: string | undefined, args: readonly string[], reason: string]>([
    ["--mode plan", undefined, ["-w", "--mode", "plan"], "plan mode"],
    ["--mode ask", undefined, ["-w", "--mode", "ask"], "writes in the workspace, and no user can be asked"],
    ["the frontmatter's mode", "---\nworkspace: cwd\npermissions: {mode: plan}\n---\n", [], "plan mode"],
  ])("%s lets it write nothing", async (_what, frontmatter, args, reason) => {
    using folder = home(frontmatter);
    const { stdout, stderr } = await prompt(folder, [call("write_file", { path: "a.txt", content: "x" })], args);
    expect(stdout).toBe("Done.\n");
    expect(stderr).toContain(reason);
    expect(existsSync(join(folder.work, "a.txt"))).toBe(false);
  });

  test("the user's settings choose the mode, and a flag another one", async () => {
    using folder = home();
    writeFiles(folder.path, { ".config/mdx-ai/settings.yaml": "permissions:\n  mode: plan\n" });
    const write = [call("write_file", { path: "a.txt", content: "x" })];
    expect((await prompt(folder, write)).stderr).toContain("plan mode");
    await prompt(folder, write, ["-w", "--mode", "edits"]);
    expect(existsSync(join(folder.work, "a.txt"))).toBe(true);
  });
});

describe.skipIf(requireProgram("bwrap"))("the system prompt in a workspace", () => {
  test("names both folders and holds AGENTS.md of the repository, and inspect shows it", async () => {
    using folder = home();
    const options = { home: folder.path, cwd: folder.work };
    const { stdout, stderr } = await runCli(["inspect", "../../agent", "--trust", "-w", "--json"], options);
    const { system } = JSON.parse(stdout);
    expect(stderr).toBe("");
    const agent = join(folder.path, "agent");
    expect(system).toContain(`You work in ${folder.work}: commands run there`);
    expect(system).toContain(`Your own files are in ${agent}.\n\nWhen this conversation began:\n- date: 20`);
    expect(system).toMatch(/\n- shell: \/bin\/\w+\n\n## /);
    expect(system).toContain(`<location>${agent}/skills/tea/SKILL.md</location>`);
    expect(system).toEndWith(
      `<repository_file path="${join(folder.path, "repo/AGENTS.md")}">\nUse tabs.\n</repository_file>\n\n<repository_file path="${join(folder.work, "AGENTS.md")}">\nUse spaces here.\n</repository_file>`,
    );
    const plain = await runCli(["inspect", "../../agent", "--trust", "--json"], options);
    expect(JSON.parse(plain.stdout).system).not.toMatch(/Workspace|tabs/);
  });

  test("stays the same in a session when AGENTS.md changes, and is read again in a new one", async () => {
    using folder = home();
    using server = anthropicServer(textReply("ok"));
    const { environment } = server;
    const ask = (session: string): Promise<CliResult> =>
      runCli(["agent", "../../agent", "--trust", "-w", "-m", "anthropic/x", "-s", session, "-p", "hi"], {
        home: folder.path,
        cwd: folder.work,
        environment,
      });
    Bun.spawnSync(["git", "init", "-q", "-b", "first"], { cwd: join(folder.path, "repo") });
    await ask("one");
    Bun.spawnSync(["git", "symbolic-ref", "HEAD", "refs/heads/second"], { cwd: join(folder.path, "repo") });
    writeFiles(folder.work, { "AGENTS.md": "Changed." });
    rmSync(join(folder.path, "repo/AGENTS.md"));
    await ask("one");
    await ask("two");
    const [first, second, third] = server.requests.map(({ text }) => JSON.stringify(JSON.parse(text).system));
    expect(first).toContain("Use tabs.");
    expect(first).toContain("git: branch first, uncommitted changes");
    expect(second).toBe(first ?? "");
    expect(third).toContain("Changed.");
    expect(third).toContain("git: branch second, ");
    expect(third).not.toContain("Use tabs.");
  });
});

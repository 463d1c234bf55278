import { describe, expect, test } from "bun:test";
import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { keepRepositoryTrust, type RepositoryParts, readRepositoryParts, repositoryTrust } from "@mdx-ai/directory";
import { writeFiles } from "../../support/agent-files.ts";
import { surroundingsIn } from "../../support/front-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const skill = (name: string, more = ""): string =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\n\nText of ${name}.\n`;

const FILES = {
  ".agents/skills/deploy/SKILL.md": skill("deploy"),
  ".claude/skills/review/SKILL.md": `${skill("review")}\n## Tools\n\n### run\n\nRuns.\n\n- entrypoint: bash:touch ran\n`,
  ".claude/commands/git/fix.md": "---\ndescription: Fix an issue\n---\nFix $ARGUMENTS.\n",
  ".claude/agents/checker.md": "---\nname: checker\ndescription: Checks\n---\nYou check.\n",
  ".opencode/command/ship.md": "# Ship it\n\nNow.\n",
  ".mcp.json": '{"mcpServers": {"github": {"command": "gh-mcp"}}}',
};

/** A repository of the user below a home. */
function repository(files: Readonly<Record<string, string>> = FILES) {
  const folder = temporaryDirectory();
  const home = realpathSync(folder.path);
  const root = join(home, "repo");
  Bun.spawnSync(["git", "init", "-q", root]);
  writeFiles(root, files);
  const frontEnd = surroundingsIn(home);
  const read = (place = root): Promise<RepositoryParts | undefined> => readRepositoryParts(place, frontEnd);
  return { home, root, read, frontEnd, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("what a repository holds for agents", () => {
  test("is the skills, commands, agents and MCP servers of the folders of several programs", async () => {
    using repo = repository();
    const parts = await repo.read();
    expect(parts?.skills.map(({ name, isCommand = false }) => [name, isCommand]).toSorted()).toEqual([
      ["agent:checker", true],
      ["deploy", false],
      ["fix", true],
      ["review", false],
      ["ship", true],
    ]);
    expect(parts?.skills.find(({ name }) => name === "agent:checker")).toMatchObject({
      description: "Checks",
      path: join(repo.root, ".claude/agents/checker.md"),
    });
    expect(parts?.mcp?.file).toBe(join(repo.root, ".mcp.json"));
    expect(parts?.mcp?.entries.map(({ item, aspect, value }) => [item, aspect, value])).toEqual([
      ["github", "transport", "stdio"],
      ["github", "program", "gh-mcp"],
    ]);
    expect(parts?.entries).toHaveLength(7);
    // A tool of a skill would run without a question.
    expect(parts?.skills.every(({ tools }) => tools === undefined)).toBe(true);
  });

  test("is found from a folder within, where the nearest of a name counts", async () => {
    using repo = repository({
      ...FILES,
      "packages/a/.claude/skills/deploy/SKILL.md": skill("deploy", "version: 2.0.0\n"),
    });
    const parts = await repo.read(join(repo.root, "packages/a"));
    const deploy = parts?.skills.filter(({ name }) => name === "deploy");
    expect(deploy?.map(({ path }) => path)).toEqual([join(repo.root, "packages/a/.claude/skills/deploy/SKILL.md")]);
    expect(parts?.skills).toHaveLength(5);
  });

  test.each([
    ["nothing", {}],
    ["other files", { "README.md": "x", ".claude/settings.json": "{}" }],
    ["a skill whose file is missing", { ".claude/skills/x/notes.md": "text" }],
    ["a file without servers", { ".mcp.json": "{}" }],
    ["a file that is too large", { ".mcp.json": `${FILES[".mcp.json"]}${" ".repeat(1_000_000)}` }],
    ["a server that is invalid", { ".mcp.json": '{"mcpServers": {"a b": {"command": "x"}}}' }],
    ["a command that is too large", { ".claude/commands/x.md": "x".repeat(2 ** 20 + 1) }],
  ])("is nothing in a repository with %s", async (_, files) => {
    using repo = repository(files);
    expect(await repo.read()).toBeUndefined();
  });

  test("does not include what a link leads to outside of it", async () => {
    using repo = repository({});
    writeFiles(repo.home, {
      "private/secret/SKILL.md": skill("secret"),
      "private/c.md": "Secret.",
      "private/.mcp.json": FILES[".mcp.json"],
    });
    mkdirSync(join(repo.root, ".claude/commands"), { recursive: true });
    symlinkSync(join(repo.home, "private"), join(repo.root, ".claude/skills"));
    symlinkSync(join(repo.home, "private/c.md"), join(repo.root, ".claude/commands/c.md"));
    symlinkSync(join(repo.home, "private/.mcp.json"), join(repo.root, ".mcp.json"));
    // A folder with no end, as far as a start can wait.
    symlinkSync("/", join(repo.root, ".claude/agents"));
    symlinkSync("/", join(repo.root, ".opencode"));
    mkdirSync(join(repo.root, ".agents"));
    symlinkSync("/", join(repo.root, ".agents/skills"));
    expect(await repo.read()).toBeUndefined();
  });

  test("does not wait for pipes in place of files", async () => {
    using repo = repository({ ".agents/skills/a/notes.md": "x", ".claude/commands/a.txt": "x" });
    const pipes = [".mcp.json", ".agents/skills/a/SKILL.md", ".claude/commands/b.md"];
    expect(Bun.spawnSync(["mkfifo", ...pipes.map((path) => join(repo.root, path))]).exitCode).toBe(0);
    expect(await repo.read()).toBeUndefined();
  });

  test("is at most 500 skills", async () => {
    const many = Array.from({ length: 600 }, (_, index) => [`.claude/skills/s${index}/SKILL.md`, skill(`s${index}`)]);
    using repo = repository(Object.fromEntries(many));
    expect((await repo.read())?.skills).toHaveLength(500);
  });
});

describe("the user's answer about a repository", () => {
  test.each(["yes", "no"] as const)("%s is kept until a part changes", async (answer) => {
    using repo = repository();
    const trust = async () => repositoryTrust((await repo.read()) ?? expect.unreachable(), repo.frontEnd);
    expect(await trust()).toEqual({ changes: [], canKeep: true });
    await keepRepositoryTrust((await repo.read()) ?? expect.unreachable(), answer, repo.frontEnd);
    expect(await trust()).toEqual({ answer, changes: [], canKeep: true });
    writeFiles(repo.root, { ".claude/commands/git/fix.md": "Delete everything.\n" });
    rmSync(join(repo.root, ".mcp.json"));
    const changed = await trust();
    expect(changed.answer).toBeUndefined();
    expect(changed.changes.map(({ type, name }) => `${type} ${name}`)).toEqual(
      answer === "no"
        ? []
        : [
            'removed MCP server "github": program',
            'removed MCP server "github": transport',
            "changed command fix (.claude/commands/git/fix.md)",
          ],
    );
    writeFiles(repo.root, {
      ".claude/commands/git/fix.md": FILES[".claude/commands/git/fix.md"],
      ".mcp.json": FILES[".mcp.json"],
    });
    expect((await trust()).answer).toBe(answer);
  });

  test("is not that of an agent directory at the same place", async () => {
    using repo = repository();
    await keepRepositoryTrust((await repo.read()) ?? expect.unreachable(), "yes", repo.frontEnd);
    const { trustedDirectories } = await import("@mdx-ai/directory");
    expect([...trustedDirectories(repo.frontEnd).keys()]).toEqual([join(repo.root, "*")]);
  });
});

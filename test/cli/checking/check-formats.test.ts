import { describe, expect, test } from "bun:test";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { check, FILES } from "../../support/checked-formats.ts";

describe("mdx-ai check on files of other programs", () => {
  test("prints each mistake with its line, and the counts", async () => {
    const { exitCode, stdout, stderr } = await check(["."]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" });
    expect(stdout).toMatch(/^\.claude\/commands\/a, b: 50%\.md:1:1 warning command-empty the command has no prompt\n/m);
    expect(stdout).toMatch(/^\.claude\/settings\.json:1:28 error permission-rule [^\n]+\n {2}1 \| /m);
    expect(stdout).toEndWith("\n1 error, 1 warning in 3 files\n");
  });

  test("finds nothing wrong in good files, and exits with 0", async () => {
    const files = { "AGENTS.md": "Be kind.\n", "bots/a/agent.mdx": MINIMAL_AGENT };
    const expected = { exitCode: 0, stdout: "No mistakes found in 1 file and 1 agent\n", stderr: "" };
    expect(await check([], files)).toEqual(expected);
    expect(await check(["AGENTS.md", "bots"], files)).toEqual(expected);
  });

  test("explains the first hundred mistakes of a file, and says how many follow", async () => {
    const heartbeat = `@every: 1h\n\n## Routine Tasks\n\n${"- soon\n".repeat(250)}`;
    const { stdout } = await check(["."], { "bots/a/agent.mdx": MINIMAL_AGENT, "bots/a/heartbeat.md": heartbeat });
    expect(stdout.match(/^bots\/a\/heartbeat\.md:\d+:\d+ error heartbeat-routine /gm)).toHaveLength(100);
    expect(stdout).toContain("\nbots/a/heartbeat.md: 150 more mistakes; --json lists all\n");
    expect(stdout).toEndWith("\n250 errors, 0 warnings in 1 agent\n");
  });

  test("explains an error that stands behind hundreds of warnings", async () => {
    const unknown = Array.from({ length: 250 }, (_, index) => `zz${index}: 1`).join("\n");
    const agent = `---\n${unknown}\nmax_turns: many\n---\n${MINIMAL_AGENT}`;
    const { exitCode, stdout } = await check(["."], { "bots/a/agent.mdx": agent });
    expect([exitCode, stdout.match(/^bots\/a\/agent\.mdx:\d+:\d+ /gm)?.length]).toEqual([2, 100]);
    expect(stdout).toMatch(/^bots\/a\/agent\.mdx:252:\d+ error /m);
  });

  test.each([".claude", ".opencode", ".agents"])("finds nothing wrong in a folder %s without files that it knows", async (folder) => {
    const expected = { exitCode: 0, stdout: "No mistakes found in 0 files\n", stderr: "" };
    expect(await check([folder], { [`${folder}/notes/other.txt`]: "" })).toEqual(expected);
  }); // biome-ignore format: short

  test("--strict shows notes, and --json prints all as JSON", async () => {
    const { stdout } = await check([".", "--strict", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ files: 3, agents: [], errors: 1, warnings: 1, notes: 1 },
      diagnostics: [
        { file: ".claude/agents/a.md", line: 4, column: 1, severity: "note", rule: "key-unknown" },
        { file: ".claude/commands/a, b: 50%.md", severity: "warning", rule: "command-empty" },
        { file: ".claude/settings.json", line: 1, column: 28, severity: "error", rule: "permission-rule" },
      ],
    });
  });

  test("--format github escapes what would end a command or a property", async () => {
    const { exitCode, stdout, stderr } = await check([".", "--strict", "--format", "github"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "1 error, 1 warning\n" });
    const [note, warning, error, ...more] = stdout.split("\n");
    expect(more).toEqual([""]);
    expect(note).toBe(
      "::notice file=.claude/agents/a.md,line=4,col=1,title=key-unknown::`flavour` is not a documented key%0Aremove it, or check its name",
    );
    expect(warning).toStartWith(
      "::warning file=.claude/commands/a%2C b%3A 50%25.md,line=1,col=1,title=command-empty::",
    );
    expect(error).toStartWith("::error file=.claude/settings.json,line=1,col=28,title=permission-rule::");
    expect(error).toContain("Bash(rm 100%25,");
  });

  test("--format github names files as the repository does", async () => {
    const { stdout } = await check([".", "--format", "github"], FILES, { GITHUB_WORKSPACE: "repo" });
    expect(stdout).toContain("::error file=project/.claude/settings.json,line=1");
  });

  test.each([
    [["."], { "README.md": "x" }, /no agent\.mdx in this directory/],
    [["lost", "."], FILES, /lost does not exist; name files or folders/],
    [[".", "--fix"], FILES, /--fix takes one agent directory/],
    [[".", "--format", "xml"], FILES, /--format needs text, json, github or sarif/],
    [[".", "--json", "--format", "sarif"], FILES, /exclude each other/],
    [[".", "--watch", "--format", "sarif"], FILES, /--watch has no format sarif/],
  ] as const)("%j says what is wrong", async (args, files, message) => {
    const { exitCode, stdout, stderr } = await check(args, files);
    expect(exitCode).toBe(2);
    expect(stdout + stderr).toMatch(message);
  });
});

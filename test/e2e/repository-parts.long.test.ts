import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { openTmux } from "../support/tmux.ts";

/** A user with an agent, and a repository with a skill and commands for agents. */
function user() {
  const folder = temporaryDirectory();
  const home = realpathSync(folder.path);
  writeFiles(join(home, "agent"), { "agent.mdx": GREETING_AGENT });
  const repository = join(home, "repository");
  mkdirSync(join(repository, ".git"), { recursive: true });
  writeFiles(repository, {
    ".agents/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: How to deploy\n---\nRun make.\n",
    ".claude/commands/fix.md": "Fix issue $1 in $2.\n",
    ".claude/agents/checker.md": "---\nname: checker\ndescription: Checks\n---\nYou check.\n",
    ".claude/commands/help.md": "Help somebody.\n",
  });
  writeFiles(home, { ".config/mdx-ai/settings.yaml": "statusbar: off\n" });
  const script = scriptReference(home, [{ text: "It is fixed." }]);
  const open = (isWorkspace = true) =>
    openTmux({
      command: cliCommand(["agent", "../agent", "--trust", ...(isWorkspace ? ["-w"] : []), "-m", script]),
      cwd: repository,
      environment: Object.fromEntries(
        Object.entries(cliEnvironment({ home, environment: { TERM: undefined } })).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
      columns: 100,
      rows: 30,
    });
  /** One prompt, and what the model received. */
  const prompted = async (text: string) => {
    using server = anthropicServer(textReply("ok"));
    const { environment } = server;
    const args = ["agent", "../agent", "--trust", "-w", "-m", "anthropic/x", "-s", "new", "-p", text];
    expect(await runCommandLine(args, { home, cwd: repository, environment })).toMatchObject({ exitCode: 0 });
    const { system, messages } = JSON.parse(server.requests[0]?.text ?? "{}");
    return { system: JSON.stringify(system), input: JSON.stringify(messages) };
  };
  return { home, repository, open, prompted, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe.skipIf(requireProgram("tmux"))("skills and commands of a repository", () => {
  test("join a conversation after one question, and later ones until they change", async () => {
    using home = user();
    await using first = await home.open();
    await first.waitFor("skills: deploy");
    const shown = await first.waitFor("This repository holds parts for agents.");
    expect(shown).toContain("commands: /fix, /help, /agent:checker");
    await first.press("Down");
    await first.press("Down");
    await first.press("Enter");
    await first.waitFor(/^> ?$/m);
    await first.type("/fix 12 src/a.ts");
    await first.press("Enter");
    await first.waitFor("It is fixed.");
    // A command of the terminal stays what it is.
    await first.type("/help");
    await first.press("Enter");
    await first.waitFor("/help NAME explains a command");
    await first.type("/quit");
    await first.press("Enter");
    expect(await first.exitCode()).toBe(0);

    const { system, input } = await home.prompted("/fix 7 src/b.ts");
    expect(system).toContain("<name>deploy</name>");
    expect(system).toContain(`<location>${home.repository}/.agents/skills/deploy/SKILL.md</location>`);
    expect(system).not.toContain("<name>fix</name>");
    expect(input).toContain("Fix issue 7 in src/b.ts.");

    writeFiles(home.repository, { ".claude/commands/fix.md": "Push it.\n" });
    expect((await home.prompted("/fix 7")).input).toContain("/fix 7");
    await using changed = await home.open();
    await changed.waitFor("What this repository holds for agents has changed.");
    await changed.waitFor("command fix (.claude/commands/fix.md)");
    await changed.press("Enter");
    await changed.waitFor(/^> ?$/m);
    await using refused = await home.open();
    await refused.waitFor(/^> ?$/m);
    expect(await refused.history()).not.toContain("for agents");
  });

  test("join one prompt only after an answer, which mdx-ai trust gives and takes back", async () => {
    using home = user();
    const before = await home.prompted("/fix 7");
    expect(before.system).not.toContain("deploy");
    expect(before.input).not.toContain("Fix issue");
    const trusted = await runCommandLine(["trust", "."], { home: home.home, cwd: home.repository });
    expect(trusted).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("command fix (.claude/commands/fix.md)"),
    });
    expect((await home.prompted("/fix 7")).input).toContain("Fix issue 7");
    expect((await home.prompted("/agent:checker the tests")).input).toContain("You check.\\n\\nthe tests");
    await runCommandLine(["trust", "--remove", "."], { home: home.home, cwd: home.repository });
    expect((await home.prompted("/fix 7")).input).not.toContain("Fix issue");
  });

  const server = (home: string): Readonly<Record<string, string>> => ({
    ".mcp.json": JSON.stringify({ mcpServers: { github: { command: "touch", args: [join(home, "started")] } } }),
  });

  test.each([
    ["no", 0],
    ["yes", 1],
  ])("after a %s an MCP server of .mcp.json runs %d times", async (_, downs) => {
    using home = user();
    writeFiles(home.repository, server(home.home));
    await using run = await home.open();
    await run.waitFor("MCP servers, which run programs as you: github");
    await run.waitFor(`program touch ${home.home}`);
    await run.waitFor("Enter: confirm");
    for (let key = 0; key < downs; key++) await run.press("Down");
    await run.press("Enter");
    await run.waitFor(/^> ?$/m);
    await run.type("Hello");
    await run.press("Enter");
    await run.waitFor("It is fixed.");
    expect(existsSync(join(home.home, "started"))).toBe(downs > 0);
  });

  test("an invalid server costs a warning, and a server of the user goes before one of its name", async () => {
    using home = user();
    const run = (name: string) => ({ command: "touch", args: [join(home.home, name)] });
    writeFiles(home.repository, {
      ".mcp.json": JSON.stringify({ mcpServers: { "a b": run("x"), github: run("of-repository"), tea: run("tea") } }),
    });
    writeFiles(home.home, { ".config/mdx-ai/settings.yaml": JSON.stringify({ mcp: { github: run("of-user") } }) });
    expect((await runCommandLine(["trust", "."], { home: home.home, cwd: home.repository })).stdout).toContain(
      `MCP server tea: program touch ${home.home}/tea`,
    );
    const args = [
      "agent",
      "../agent",
      "--trust",
      "-w",
      "-m",
      scriptReference(home.home, [{ text: "Hi." }]),
      "-p",
      "hi",
    ];
    const ran = await runCommandLine(args, { home: home.home, cwd: home.repository });
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('the MCP server "a b": a name consists of'),
    });
    const started = ["x", "of-repository", "tea", "of-user"].filter((name) => existsSync(join(home.home, name)));
    expect(started).toEqual(["tea", "of-user"]);

    writeFiles(home.repository, { ".mcp.json": "{}" });
    const changed = await runCommandLine([...args, "-s", "new"], { home: home.home, cwd: home.repository });
    expect(changed.stderr).toContain("has changed since you agreed, and is not used; to agree again: mdx-ai trust");
  });

  test("are not used by an agent that works in its own directory; .mcp.json is named", async () => {
    using home = user();
    writeFiles(home.repository, server(home.home));
    await using run = await home.open(false);
    await run.waitFor(/^> ?$/m);
    const shown = await run.history();
    expect(shown).not.toContain("parts for agents");
    expect(shown).toContain(".mcp.json declares MCP servers: github; use them with --mcp-config");
  });
});

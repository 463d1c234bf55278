import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { writeText } from "../../support/agent-files.ts";
import { agentWithServers, bareServer, everythingServer, fileServer } from "../../support/mcp-server-file.ts";
import { cliCommand, cliEnvironment } from "../../support/run-cli.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const skill = (enabled: boolean): string => `---
name: greeter
description: Greets.
enabled_by_default: ${enabled}
mcp_server: {command: ${JSON.stringify(process.execPath)}, args: [server.mjs]}
---
Greets.
`;

const files = {
  "agent.mdx": agentWithServers(`${fileServer("bare", "server.mjs")}  dead: {command: no-such-program-anywhere}\n`),
  "server.mjs": bareServer(`
    tools = [
      { name: "greet", description: "Greets somebody.", inputSchema: {
        type: "object", properties: { name: { type: "string" }, times: { type: "integer" } }, required: ["name"] } },
      { name: "fail", description: "Fails.", inputSchema: { type: "object" } },
    ];
    handlers["tools/call"] = (id, { name, arguments: args }) =>
      name === "fail" ? text(id, "it broke", { isError: true }) : text(id, JSON.stringify(args));
    handlers["resources/list"] = (id) => answer(id, { resources: [{ uri: "tea://green", name: "green" }] });
    handlers["prompts/list"] = (id) => answer(id, { prompts: [
      { name: "brew", description: "Brews.", arguments: [{ name: "tea", required: true }, { name: "how" }] } ] });`),
  "skills/greeter/SKILL.md": skill(false),
};

describe("mdx-ai mcp", () => {
  test("lists the servers, their state, tools, resources and prompts; one that is not available is exit code 1", async () => {
    using directory = agentDirectory(files);
    using home = temporaryDirectory();
    const args = ["mcp", directory.path, "--trust"];
    const { stdout, stderr, exitCode } = await runCommandLine(args, { home: home.path });
    expect(exitCode).toBe(1);
    expect(stdout).toBe(`bare  connected
  stdio: ${process.execPath} server.mjs  (agent.mdx)
  2 tools:
    greet  Greets somebody.
    fail   Fails.
  1 resource:
    tea://green  green
  1 prompt:
    brew tea [how]  Brews.

dead  not available: there is no program no-such-program-anywhere on PATH
  stdio: no-such-program-anywhere  (agent.mdx)

greeter  not started: the skill greeter is not enabled
  stdio: ${process.execPath} server.mjs  (the skill greeter)
`);
    expect(stderr).toContain("the MCP server dead is not available");
    const json = await runCommandLine([...args, "--json"], { home: home.path });
    const { servers } = JSON.parse(json.stdout);
    expect(servers).toMatchObject([
      { name: "bare", state: { type: "connected" }, tools: [{ name: "greet" }, { name: "fail" }], isEnabled: true },
      { name: "dead", state: { type: "failed" }, tools: [] },
      { name: "greeter", skill: "greeter", state: { type: "idle" }, isEnabled: false },
    ]);
  });

  const rows: readonly [name: string, args: readonly string[], exitCode: number, said: string][] = [
    [
      "a call with arguments by the schema",
      ["call", "bare", "greet", "name=7", "times=7"],
      0,
      '{"name":"7","times":7}',
    ],
    ["a call with JSON", ["call", "bare", "greet", 'name:="x"', "more:=[1]"], 0, '{"name":"x","more":[1]}'],
    ["a call with an object", ["call", "bare", "greet", "--arguments", '{"name": "x"}'], 0, '{"name":"x"}'],
    ["a call whose result is JSON", ["call", "bare", "greet", "name=x", "--json"], 0, '"text": "{\\"name\\":\\"x\\"}"'],
    ["a call of a skill that is not enabled", ["call", "greeter", "greet", "name=x"], 0, '{"name":"x"}'],
    ["a call that fails", ["call", "bare", "fail"], 1, "it broke"],
    ["a call that the user denies", ["call", "bare", "greet", "name=x", "--deny", "mcp.bare.*"], 1, "denies"],
    ["JSON that is none", ["call", "bare", "greet", "name:=x"], 2, 'name:= needs JSON, but got "x"'],
    ["a tool that does not exist", ["call", "bare", "gret"], 2, "did you mean `greet`? available: greet, fail"],
    ["no tool", ["call", "bare"], 2, "the name of the tool is missing; available: greet, fail"],
    ["a server that does not exist", ["call", "bar", "x"], 2, "did you mean `bare`?"],
    ["a server that is not available", ["call", "dead", "x"], 1, "the MCP server dead is not available"],
    ["a sign-in that is not needed", ["login", "bare"], 0, "bare is connected, with 2 tools"],
    ["an action that does not exist", ["calls"], 2, "write call SERVER TOOL or login SERVER"],
  ];
  for (const [name, words, exitCode, said] of rows) {
    test(`handles ${name}`, async () => {
      using directory = agentDirectory(files);
      using home = temporaryDirectory();
      const run = await runCommandLine(["mcp", directory.path, ...words, "--trust"], { home: home.path });
      expect(`${run.stdout}${run.stderr}`).toContain(said);
      expect(run.exitCode).toBe(exitCode);
    });
  }

  test("says of a sign-in that is interrupted nothing about a connection", async () => {
    const asked = Promise.withResolvers<void>();
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      fetch: () => {
        asked.resolve();
        return Promise.withResolvers<Response>().promise;
      },
    });
    using directory = agentDirectory({
      "agent.mdx": agentWithServers(`  far: {url: "http://127.0.0.1:${server.port}/mcp"}\n`),
    });
    using home = temporaryDirectory();
    const child = Bun.spawn(cliCommand(["mcp", directory.path, "login", "far", "--trust"]), {
      ...{
        cwd: home.path,
        env: cliEnvironment({ home: home.path }),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
      },
    });
    await asked.promise;
    child.kill("SIGINT");
    expect([await child.stdout.text(), await child.exited]).toEqual(["", 130]);
  });

  test("starts nothing of a directory that is not trusted", async () => {
    using directory = agentDirectory({
      ...files,
      "server.mjs": `import { writeFileSync } from "node:fs";\nwriteFileSync("started", "");\n`,
    });
    using home = temporaryDirectory();
    const run = await runCommandLine(["mcp", directory.path], { home: home.path });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain("MCP servers: 3");
    expect(await Bun.file(join(directory.path, "started")).exists()).toBe(false);
  });
});

describe("servers of the user", () => {
  const config = (servers: object): string => JSON.stringify({ mcpServers: servers });
  const bare = { type: "stdio", command: process.execPath, args: ["server.mjs"], alwaysAllow: ["x"] };

  test("come from settings.yaml and from --mcp-config, relative to their files; the directory's own go first", async () => {
    using directory = agentDirectory({
      ...files,
      "agent.mdx": agentWithServers("  mine: {command: no-such-program}\n"),
    });
    using home = temporaryDirectory();
    const settings = join(home.path, ".config/mdx-ai/settings.yaml");
    writeText(settings, `mcp:\n${fileServer("everywhere", "server.mjs")}`);
    writeText(join(home.path, ".config/mdx-ai/server.mjs"), files["server.mjs"]);
    writeText(join(home.path, "work/.mcp.json"), config({ here: bare, mine: bare, off: { ...bare, disabled: true } }));
    writeText(join(home.path, "work/server.mjs"), files["server.mjs"]);
    const args = ["mcp", directory.path, "--trust", "--json", "--mcp-config", join(home.path, "work/.mcp.json")];
    const { stdout, stderr } = await runCommandLine(args, { home: home.path });
    const { servers }: { servers: { name: string; state: { type: string } }[] } = JSON.parse(stdout);
    expect(servers.map(({ name, state }) => [name, state.type])).toStrictEqual([
      ["mine", "failed"],
      ["greeter", "idle"],
      ["here", "connected"],
      ["everywhere", "connected"],
    ]);
    expect(stderr).toContain(
      `the MCP server mine of ${join(home.path, "work/.mcp.json")} is not used: agent.mdx declares a server of the same name`,
    );
  });

  const mistakes: readonly [name: string, text: string, said: string][] = [
    ["that is no JSON", "{", "cannot read"],
    ["without servers", "{}", 'declares no servers; expected {"mcpServers": {…}}'],
    ["with a server that cannot be reached", config({ a: {} }), "neither a `command` nor a `url`"],
    [
      "with a name that no pattern could match",
      config({ "a.b": bare }),
      "a name consists of at most 40 letters, digits",
    ],
  ];
  for (const [name, text, said] of mistakes) {
    test(`in a file ${name} are refused`, async () => {
      using directory = agentDirectory(files);
      using home = temporaryDirectory();
      writeText(join(home.path, "mcp.json"), text);
      const args = ["mcp", directory.path, "--trust", "--mcp-config", join(home.path, "mcp.json")];
      const run = await runCommandLine(args, { home: home.path });
      expect(run.stderr).toContain(said);
      expect(run.exitCode).toBe(2);
    });
  }
});

test("mdx-ai inspect shows the servers and starts none", async () => {
  using directory = agentDirectory({
    "agent.mdx": agentWithServers(everythingServer("every")),
    "skills/g/SKILL.md": skill(false),
  });
  using home = temporaryDirectory();
  const { stdout } = await runCommandLine(["inspect", directory.path], { home: home.path });
  expect(stdout).toContain("MCP servers (not started; --connect starts them)");
  expect(stdout).toMatch(/^ {2}every {2}stdio: \S+ \S+server-everything\/dist\/index\.js {2}\(agent\.mdx\)$/m);
  expect(stdout).toContain("(the skill greeter; the skill greeter is not enabled)");
  const json = await runCommandLine(["inspect", directory.path, "--json"], { home: home.path });
  expect(JSON.parse(json.stdout).servers).toMatchObject([{ name: "every" }, { name: "greeter", isEnabled: false }]);
});

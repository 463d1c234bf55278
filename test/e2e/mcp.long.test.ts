import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../support/agent-files.ts";
import { untilExists } from "../support/eventually.ts";
import { agentWithServers, bareServer, everythingServer, fileServer, withBun } from "../support/mcp-server-file.ts";
import { noProcessesOf, processesOf } from "../support/remaining-processes.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");

const call = (name: string, args: Readonly<Record<string, string>> = {}): Reply => ({
  calls: [{ id: `call-${name}`, name, arguments: args }],
});

interface Ground extends Disposable {
  /** The folder of everything; the user's home. */
  readonly home: string;
  readonly agent: string;
}

function ground(files: Readonly<Record<string, string>>): Ground {
  const folder: TemporaryDirectory = temporaryDirectory();
  const agent = join(folder.path, "agent");
  for (const [path, text] of Object.entries(files)) writeText(join(agent, path), text);
  return { home: folder.path, agent, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** The results of tools in the session `main`. */
function resultsIn(agent: string): readonly string[] {
  const lines = readFileSync(join(agent, "logs/main.jsonl"), "utf8").trim().split("\n");
  const records = lines.map((line): { event: string; output: string } => JSON.parse(line));
  return records.flatMap(({ event, output }) => (/_result$/.test(event) ? output : []));
}

test("the demo of birdie: once its skill is enabled, its server reverses a text", async () => {
  using place = ground({ "agent.mdx": "# Agent: Birdie\n\n## Purpose\n\nHelp.\n" });
  cpSync(join(ROOT, "examples/birdie/skills/mcp_demo"), join(place.agent, "skills/mcp_demo"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(place.agent, "node_modules"));
  const replies = [call("mcp_mcp_demo_reverse_string", { text: "hello world" }), { text: "dlrow olleh" }];
  const args = ["agent", place.agent, "--trust", "--allow", "mcp.mcp_demo.*", "--model"];
  const prompt = ["--prompt", 'reverse "hello world"'];
  const environment = withBun;
  const without = await runCommandLine([...args, scriptReference(place.home, replies), ...prompt], {
    ...place,
    environment,
  });
  expect(without.exitCode).toBe(0);
  expect(resultsIn(place.agent)[0]).toContain("there is no tool mcp_mcp_demo_reverse_string");
  // As `/skill enable mcp_demo` does.
  writeText(join(place.agent, "sessions/main/skills.json"), '{"enabled": ["mcp_demo"], "disabled": []}');
  const enabled = await runCommandLine([...args, scriptReference(place.home, replies), ...prompt], {
    ...place,
    environment,
  });
  expect(enabled).toMatchObject({ exitCode: 0, stdout: "dlrow olleh\n" });
  expect(resultsIn(place.agent)[1]).toBe("dlrow olleh");
  await noProcessesOf(place.home);
});

test("a prompt of a server-everything becomes the text of the user, and headless calls are denied with the flag", async () => {
  using place = ground({ "agent.mdx": agentWithServers(everythingServer("every")) });
  const replies = [call("mcp_every_echo", { message: "tea" }), { text: "Done." }];
  const args = ["agent", place.agent, "--trust", "--model", scriptReference(place.home, replies)];
  const run = await runCommandLine([...args, "--prompt", "/mcp:every:args-prompt city=Vienna state=Austria"], place);
  expect(run).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  const history = readFileSync(join(place.agent, "sessions/main/history.json"), "utf8");
  expect(history).toContain("Vienna");
  expect(history).not.toContain("/mcp:every");
  expect(resultsIn(place.agent)[0]).toContain("no user can be asked; allow it with --allow mcp.every.echo");
  const wrong = await runCommandLine([...args, "--prompt", "/mcp:every:args-prompt"], place);
  expect(wrong.stderr).toContain("the prompt args-prompt needs city");
  expect(wrong.exitCode).toBe(2);
  await noProcessesOf(place.home);
});

test("a replay starts no server and reports no change; with live tools the call is made again", async () => {
  using place = ground({
    "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")),
    "server.mjs": bareServer(`
      import { appendFileSync } from "node:fs";
      appendFileSync("noted", "start ");
      handlers["tools/call"] = (id) => { appendFileSync("noted", "call "); text(id, "hi"); };`),
  });
  const noted = (): string => readFileSync(join(place.agent, "noted"), "utf8");
  const model = scriptReference(place.home, [call("mcp_bare_greet"), { text: "Done." }]);
  const flags = ["--trust", "--allow", "mcp.bare.*"];
  await runCommandLine(["agent", place.agent, ...flags, "--model", model, "--prompt", "Go"], place);
  expect(noted()).toBe("start call ");
  const played = await runCommandLine(["replay", place.agent], place);
  expect(played).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("mcp.bare.greet") });
  expect(noted()).toBe("start call ");
  const other = await runCommandLine(["replay", place.agent, "--with", model], place);
  expect(other.stderr).toContain("the MCP servers of the agent are left out; --live-tools starts them");
  expect(noted()).toBe("start call ");
  const live = await runCommandLine(["replay", place.agent, "--live-tools", "--yes", "--trust"], place);
  expect(live).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("mcp.bare.greet") });
  expect(noted()).toBe("start call start call ");
  await noProcessesOf(place.home);
});

/** A server that notes what it does in the agent directory, and that is away once `away` exists. */
const noting = (call: string): string => `
  import { appendFileSync, existsSync } from "node:fs";
  import { spawn } from "node:child_process";
  if (existsSync("away")) process.exit(1);
  spawn("sleep", ["1000"]).unref();
  ${bareServer(`
    tools.push({ ...tools[0], name: "other" });
    handlers["tools/call"] = (id, params) => { appendFileSync("called", params.name + "\\n"); ${call} };`)}`;

describe("when the program ends", () => {
  const files = { "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")), "server.mjs": noting("") };
  const replies = [
    { calls: [call("mcp_bare_greet"), call("mcp_bare_other")].flatMap(({ calls = [] }) => calls) },
    { text: "Done." },
  ];

  const start = (place: Ground) => {
    const args = ["agent", place.agent, "--trust", "--allow", "mcp.bare.greet", "--model"];
    const command = cliCommand([...args, scriptReference(place.home, replies), "--prompt", "Greet"]);
    mkdirSync(place.home, { recursive: true });
    return Bun.spawn(command, { cwd: place.home, env: cliEnvironment(place), stdio: ["ignore", "ignore", "ignore"] });
  };

  test.each(["SIGKILL", "SIGINT", "SIGTERM"] as const)(
    "by %s, no server and none of its processes is left",
    async (signal) => {
      using place = ground(files);
      const child = start(place);
      await untilExists(join(place.agent, "called"));
      expect(processesOf(place.agent).length).toBeGreaterThan(1);
      child.kill(signal);
      await child.exited;
      await noProcessesOf(place.home);
    },
  );

  test("amid a call, the call is answered and not made again, also while the server is away", async () => {
    using place = ground(files);
    const child = start(place);
    await untilExists(join(place.agent, "called"));
    child.kill("SIGKILL");
    await child.exited;
    await noProcessesOf(place.home);
    writeText(join(place.agent, "away"), "");
    const model = scriptReference(place.home, [{ text: "Done without it." }]);
    const resumed = await runCommandLine(["agent", place.agent, "--trust", "--resume", "--model", model], place);
    expect(resumed).toMatchObject({ exitCode: 0, stdout: "Done without it.\n" });
    expect(resumed.stderr).toContain("the MCP server bare is not available");
    const results = resultsIn(place.agent).join("\n");
    expect(results).toContain("outcome unknown");
    // Refused at once since nobody can be asked; or later, if the kill came before that was journaled.
    expect(results).toMatch(/not run|there is no tool mcp_bare_other/);
    expect(readFileSync(join(place.agent, "called"), "utf8")).toBe("greet\n");
  });
});

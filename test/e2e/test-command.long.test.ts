import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "@mdx-ai/directory/text";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { untilExists } from "../support/eventually.ts";
import { exampleText } from "../support/example-text.ts";
import { noProcessesOf } from "../support/remaining-processes.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const greeting = (...examples: readonly string[]): string =>
  GREETING_AGENT.replace("</Tool>\n", `${examples.join("\n")}\n</Tool>\n`);

/** An agent with one tool, whose `execute` has this body. */
const acting = (body: string, example: string, attributes = ""): string =>
  `${MINIMAL_AGENT}\n<Tool name="act" description="Acts"${attributes}>\n\n\`\`\`ts\nasync function execute(_: unknown, ctx: any) {\n${body}\n}\n\`\`\`\n\n${example}</Tool>\n`;

const passing = exampleText('{"arguments": {"name": "Ada"}, "result": "Hello Ada"}', ' name="one name"');
const failing = exampleText('{"arguments": {"name": "Bob"}, "result": "Hello Rob"}', ' name="another"');

function homeWith(agent: string, more: Readonly<Record<string, string>> = {}): TemporaryDirectory {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": agent, ...more });
  return home;
}

const runTests = (home: TemporaryDirectory, ...args: readonly string[]): Promise<CliResult> =>
  runCli(["test", "agent", "--trust", ...args], { home: home.path });

/** Without what differs from run to run. */
const timeless = (text: string): string => text.replace(/\([\d.]+ m?s\)/g, "(time)");

describe("mdx-ai test", () => {
  test("runs every example by running its tool, reports each and exits with 0 if all pass", async () => {
    using home = homeWith(
      greeting(passing, exampleText('{"arguments": {"name": "nobody"}, "error": "there is nobody"}')),
    );
    const { exitCode, stdout, stderr } = await runTests(home);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.not.stringContaining("unexpected") });
    expect(timeless(stdout)).toBe('✓ greet: one name (time)\n✓ greet: {"name":"nobody"} (time)\n\n2 passed (time)\n');
    expect(readdirSync(join(home.path, "agent")).sort()).toEqual(["agent.mdx", "skills"]);
  });

  test("reports a failure at the example's position with a comparison, and exits with 1", async () => {
    using home = homeWith(greeting(passing, failing));
    const { exitCode, stdout } = await runTests(home);
    expect(exitCode).toBe(1);
    expect(timeless(stdout)).toBe(`✓ greet: one name (time)
✗ greet: another  agent/agent.mdx:26:1
    the result differs (- expected, + received)
    - Hello Rob
    + Hello Bob

1 passed, 1 failed (time)
`);
  });

  test("shows the log of a call that failed its test", async () => {
    const body = "  console.log('looked up');\n  await ctx.log('and found');\n  return 1;";
    using home = homeWith(acting(body, exampleText('{"arguments": {}, "result": 2}')));
    const { stdout } = await runTests(home);
    // What is printed and what is logged come by two ways.
    expect(stdout).toMatch(
      / {4}- 2\n {4}\+ 1\n {6}its log:\n( {6}looked up\n {6}and found| {6}and found\n {6}looked up)\n/,
    );
  });

  test("runs the examples that --filter names, ignoring case", async () => {
    using home = homeWith(greeting(passing, failing));
    const chosen = await runTests(home, "--filter", "ONE name");
    expect({ ...chosen, stdout: timeless(chosen.stdout) }).toMatchObject({
      exitCode: 0,
      stdout: "✓ greet: one name (time)\n\n1 passed (time)\n",
    });
    const none = await runTests(home, "--filter", "two");
    expect(none).toMatchObject({ exitCode: 1, stdout: "" });
    expect(none.stderr).toContain('no test name contains "two"; the tests are: greet: one name, greet: another');
  });

  test("reports to programs with --json", async () => {
    using home = homeWith(greeting(passing, failing));
    const { exitCode, stdout } = await runTests(home, "--json");
    expect(exitCode).toBe(1);
    const entry = { subject: "greet", file: "agent.mdx", column: 1, milliseconds: expect.any(Number) };
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      path: join(home.path, "agent"),
      passed: 1,
      failed: 1,
      stopped: 0,
      milliseconds: expect.any(Number),
      tests: [
        { ...entry, name: "one name", line: 20, status: "passed" },
        {
          ...entry,
          name: "another",
          line: 26,
          status: "failed",
          message: "the result differs (- expected, + received)",
          lines: ["- Hello Rob", "+ Hello Bob"],
        },
      ],
    });
  });

  test("writes JUnit XML with --junit, instead of an older report, and makes its folder", async () => {
    using home = homeWith(greeting(passing, failing), { "out/reports/tests.xml": "old" });
    for (const file of ["out/reports/tests.xml", "new/tests.xml"]) {
      expect(await runTests(home, "--junit", file)).toMatchObject({ exitCode: 1 });
      const report = readFileSync(join(home.path, file), "utf8");
      expect(report).toStartWith("<?xml");
      expect(report).toContain('<testsuites name="mdx-ai test" tests="2" failures="1"');
      expect(report).toContain('<testcase name="another" classname="greet" file="agent.mdx" line="26"');
    }
  });

  test("says how to write a test if there are none, and exits with 1", async () => {
    using home = homeWith(GREETING_AGENT);
    const { exitCode, stdout, stderr } = await runTests(home);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("mdx-ai: no tests found; write an <Example> into a <Tool>");
  });

  test("runs nothing that is not trusted, and nothing of a directory with mistakes", async () => {
    using home = homeWith(
      acting("  require('node:fs').writeFileSync(ctx.agentDir + '/mark', '');", exampleText('{"arguments": {}}')),
    );
    const untrusted = await runCli(["test", "agent"], { home: home.path });
    expect(untrusted).toMatchObject({ exitCode: 3, stdout: "" });
    using wrong = homeWith(greeting(exampleText('{"arguments": {"nam": "x"}}')));
    const refused = await runTests(wrong);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain("agent/agent.mdx:22:16 error example-arguments unexpected argument `nam`");
    expect(existsSync(join(home.path, "agent/mark"))).toBe(false);
    expect(await runTests(home)).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(home.path, "agent/mark"))).toBe(true);
  });

  test("starts no module: it could reach the network from within the program", async () => {
    using home = homeWith(greeting(passing), { "agent/modules/loud.ts": "throw new Error('loaded')" });
    const { exitCode, stderr } = await runTests(home);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("loaded");
  });

  test("runs each example in a separate process, in the agent directory or in --cwd", async () => {
    const body =
      "  globalThis.calls = (globalThis.calls ?? 0) + 1;\n  return [globalThis.calls, ctx.cwd === ctx.agentDir, process.cwd() === ctx.cwd].join(' ');";
    const example = exampleText('{"arguments": {}, "result": "1 true true"}');
    using home = homeWith(acting(body, `${example}\n${example}\n${example}`));
    expect(await runTests(home, "--jobs", "1")).toMatchObject({ exitCode: 0 });
    expect((await runTests(home, "--jobs", "1", "--cwd", ".")).stdout).toContain("+ 1 false true");
  });

  test("ends a tool by its own time-out", async () => {
    using home = homeWith(acting("  for (;;);", exampleText('{"arguments": {}}'), ' timeout="0.2"'));
    const { exitCode, stdout } = await runTests(home);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("the tool failed\n      the tool was stopped: it timed out after 0.2 seconds");
    await noProcessesOf(home.path);
  });

  test.each([
    [["--jobs", "0"], "--jobs needs a whole number from 1 to 64"],
    [["--junit", ""], "--junit needs a file"],
    [["--filtr", "x"], "--filter"],
  ])("refuses %j", async (args, complaint) => {
    using home = homeWith(greeting(passing));
    const { exitCode, stderr } = await runTests(home, ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(complaint);
  });

  test("shows names and results that would trick a terminal in the open", async () => {
    const hostile = exampleText(
      '{"arguments": {"name": "\\u001b[2J\\u202e"}, "result": "x"}',
      ' name="\u202e\u0007evil"',
    );
    using home = homeWith(greeting(hostile));
    const { stdout } = await runTests(home);
    expect(stdout).toContain("✗ greet: evil  ");
    expect(stdout).toContain("+ Hello \\u{1b}[2J\\u{202e}\n");
    expect(stdout).toBe(plainText(stdout));
  });
});

describe("mdx-ai test when it is interrupted", () => {
  const waits = acting(
    "  console.log(0);\n  await Bun.write(ctx.agentDir + '/begun', '');\n  for (;;);",
    exampleText('{"arguments": {}}').repeat(3),
  );

  test("stops its tools, reports how far it got, and exits with 130", async () => {
    using home = homeWith(waits);
    const child = Bun.spawn(cliCommand(["test", "agent", "--trust", "--junit", "report.xml", "--jobs", "1"]), {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    await untilExists(join(home.path, "agent/begun"));
    child.kill("SIGINT");
    const [stdout, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    expect(exitCode).toBe(130);
    expect(timeless(stdout)).toBe("\n3 not run: interrupted (time)\n");
    expect(readFileSync(join(home.path, "report.xml"), "utf8")).toContain(
      'tests="3" failures="0" errors="0" skipped="3"',
    );
    await noProcessesOf(home.path);
  });

  test("does so on a terminal, where it shows what runs and colours what failed", async () => {
    using home = homeWith(greeting(failing).replace(MINIMAL_AGENT, "") + waits.slice(MINIMAL_AGENT.length));
    await using run = new TerminalRun(["test", "agent", "--trust", "--jobs", "1"], { home: home.path });
    await run.shows("\u001b[31m✗\u001b[39m greet: another");
    await run.shows("1 of 4 · act: {}");
    await untilExists(join(home.path, "agent/begun"));
    run.write("\u0003");
    expect(await run.exited).toBe(130);
    expect(run.output).toContain("1 failed\u001b[39m, \u001b[33m3 not run: interrupted");
    await noProcessesOf(home.path);
  });
});

test("NO_COLOR keeps colours away on a terminal", async () => {
  using home = homeWith(greeting(passing));
  const environment = { NO_COLOR: "1" };
  await using run = new TerminalRun(["test", "agent", "--trust"], { home: home.path, environment });
  expect(await run.exited).toBe(0);
  expect(run.output).toContain("✓ greet: one name (");
});

describe("mdx-ai test holds the network back", () => {
  const reach = (home: string): string =>
    acting(
      `  const local = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("local") });
  const own = await (await fetch(local.url)).text();
  await local.stop(true);
  const { port } = await Bun.file("${home}/agent/port.json").json();
  return own + ", " + (await fetch("http://127.0.0.1:" + port).then((answer) => answer.text(), () => "nothing"));`,
      exampleText('{"arguments": {}, "result": "local, nothing"}'),
    );

  async function reachOut(environment: Readonly<Record<string, string>>): Promise<CliResult> {
    using home = temporaryDirectory();
    using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("the world") });
    writeFiles(home.path, {
      "agent/agent.mdx": reach(home.path),
      "agent/port.json": JSON.stringify({ port: server.port }),
    });
    return await runCli(["test", "agent", "--trust"], { home: home.path, environment });
  }

  test.skipIf(requireProgram("bwrap"))("from the tools, which keep a loopback of their own", async () => {
    expect(await reachOut({})).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("or says once that it cannot, where there is no bubblewrap", async () => {
    const { exitCode, stdout, stderr } = await reachOut({ PATH: "/nowhere" });
    expect(exitCode).toBe(1);
    expect(stdout).toContain("+ local, the world");
    expect(stderr).toBe(
      [
        "mdx-ai: warning: the tests can reach the network: blocking it needs bubblewrap (bwrap)",
        "mdx-ai: warning: the shell and the tools of agent.mdx are not contained: bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap); a command runs only if you or a rule allow it, and tools have your access\n",
      ].join("\n"),
    );
  });
});

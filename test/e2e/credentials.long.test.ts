import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { KEY, type KeyedHost, openKeyedHost } from "../support/keyed-host.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const SETTINGS = ".config/mdx-ai/settings.yaml";

interface KeyedRun {
  /** The frontmatter of agent.mdx. */
  readonly wishes: string;
  /** The user's `credentials`. */
  readonly grants: string;
  readonly args?: readonly string[];
  readonly command?: string;
}

/** A prompt in which a tool and a command request the host, and show what they see. */
async function prompt(home: TemporaryDirectory, host: KeyedHost, run: KeyedRun): Promise<CliResult> {
  const { wishes, grants, args = [], command = `curl -sS https://localhost:${host.port}/shell; env` } = run;
  const tool = toolText(
    "look",
    `return JSON.stringify([process.env, await (await fetch("https://localhost:${host.port}/tool")).text()]);`,
    ' env="EXAMPLE_KEY"',
  );
  writeFiles(home.path, {
    "agent/agent.mdx": `---\n${wishes}\n---\n\n${MINIMAL_AGENT}${tool}`,
    [SETTINGS]: `sandbox: {network: ["localhost:${host.port}"]}\ncredentials: ${grants}\n`,
  });
  const calls = [
    { id: "a", name: "look", arguments: {} },
    { id: "b", name: "bash", arguments: { command } },
  ];
  const model = scriptReference(home.path, [{ calls }, { text: "done" }]);
  const environment = { ...host.environment, EXAMPLE_KEY: KEY };
  const words = ["agent", "agent", "--trust", "--prompt", "hi", "--model", model, ...args];
  return runCommandLine(words, { home: home.path, environment });
}

/** All that a run wrote. */
function written(home: TemporaryDirectory, { stdout, stderr }: CliResult): string {
  const files = readdirSync(home.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return [stdout, stderr, ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))].join(
    "\n",
  );
}

const keysOf = (host: KeyedHost): readonly (readonly unknown[])[] =>
  host.requests.map(({ url, headers }) => [new URL(url).pathname, headers["authorization"] ?? headers["x-key"]]);

const FORMS = [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY), btoa(KEY)];

describe.skipIf(requireProgram("bwrap"))("a key for a host", () => {
  test.each([[[]], [["--json"]], [["--debug"]]])(
    "is used, and in nothing that a run with %j prints or writes",
    async (args) => {
      using home = temporaryDirectory();
      using host = openKeyedHost();
      const name = `localhost:${host.port}`;
      const run = {
        wishes: `credentials: {"${name}": {env: EXAMPLE_KEY}}`,
        grants: `{"${name}": {env: EXAMPLE_KEY}}`,
        args,
      };
      const all = written(home, await prompt(home, host, run));
      expect(all).toContain("EXAMPLE_KEY=mdx-ai-credential-EXAMPLE_KEY");
      expect(keysOf(host).toSorted()).toStrictEqual([
        ["/shell", `Bearer ${KEY}`],
        ["/tool", `Bearer ${KEY}`],
      ]);
      for (const form of FORMS) expect(all).not.toContain(form);
    },
  );

  test("comes from a command of the user's settings", async () => {
    using home = temporaryDirectory();
    using host = openKeyedHost();
    const name = `localhost:${host.port}`;
    const result = await prompt(home, host, {
      wishes: `credentials: {"${name}": {env: EXAMPLE_KEY}}`,
      grants: `{"${name}": {env: OTHER_KEY, header: X-Key, command: "echo key-of-a-command"}}`,
    });
    expect(result.stderr).not.toContain("warning");
    expect(keysOf(host).map(([, key]) => key)).toStrictEqual(["key-of-a-command", "key-of-a-command"]);
    expect(written(home, result).match(/key-of-a-command/g)).toStrictEqual(["key-of-a-command"]);
  });

  test("goes to no host of a hostile agent, which does not even see its variable", async () => {
    using home = temporaryDirectory();
    using host = openKeyedHost();
    const name = `localhost:${host.port}`;
    const result = await prompt(home, host, {
      wishes: `credentials: {"${name}": {env: EXAMPLE_KEY}}`,
      grants: "{api.example.com: {env: EXAMPLE_KEY}}",
    });
    expect(result.stderr).toContain(
      `the agent wishes for a key for ${name}, which \`credentials\` in your settings.yaml does not name: EXAMPLE_KEY is not set`,
    );
    expect(result.stderr).toContain("the tool look does not get EXAMPLE_KEY, your key for api.example.com");
    // Its connection is a tunnel, in which the sandbox trusts no more than usual.
    expect(keysOf(host)).toStrictEqual([]);
    const all = written(home, result);
    for (const form of FORMS) expect(all).not.toContain(form);
  });

  test("is not available without a sandbox, and the results say so", async () => {
    using home = temporaryDirectory();
    using host = openKeyedHost();
    const name = `localhost:${host.port}`;
    const args = ["--sandbox", "off", "--allow", "bash", "--json"];
    const wish = `{"${name}": {env: EXAMPLE_KEY}}`;
    const result = await prompt(home, host, { wishes: `credentials: ${wish}`, grants: wish, args });
    const problem = `the key for ${name} (EXAMPLE_KEY) is used in the sandbox only`;
    expect(result.stdout.split(problem).length).toBeGreaterThan(2);
    for (const form of FORMS) expect(written(home, result)).not.toContain(form);
  });
});

test("wishes are shown before an agent is trusted, by inspect, and on the page of its sandbox if they are granted", async () => {
  using home = temporaryDirectory();
  const wishes = "credentials: {api.example.com: {env: EXAMPLE_KEY}, other.example.com: {env: OTHER_KEY}}";
  writeFiles(home.path, {
    "agent/agent.mdx": `---\n${wishes}\n---\n\n${MINIMAL_AGENT}`,
    [SETTINGS]: "credentials: {api.example.com: {env: EXAMPLE_KEY}}\n",
  });
  const run = async (...words: readonly string[]): Promise<CliResult> => runCommandLine(words, { home: home.path });
  const refused = await run("agent", "agent", "--prompt", "hi", "--model", "offline");
  expect([refused.exitCode, refused.stderr]).toEqual([3, expect.stringContaining("credentials: 2")]);
  const inspected = await run("inspect", "agent", "--trust");
  expect(inspected.stdout).toContain(
    "Keys that it wishes for (if your settings grant them)\n\n  api.example.com  (EXAMPLE_KEY)\n  other.example.com  (OTHER_KEY)\n",
  );
  const json: { credentials: unknown } = JSON.parse((await run("inspect", "agent", "--trust", "--json")).stdout);
  expect(json.credentials).toEqual({ "api.example.com": "EXAMPLE_KEY", "other.example.com": "OTHER_KEY" });
  const page = await run("sandbox", "agent");
  if (!requireProgram("bwrap")) expect(page.stdout).toMatch(/^ {2}keys +api\.example\.com \(EXAMPLE_KEY\)$/m);
});

test("check validates what an agent wishes for, and shows mistakes in what the user grants", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, {
    "agent/agent.mdx": MINIMAL_AGENT,
    "wrong/agent.mdx": `---\ncredentials: {api.example.com: {env: EXAMPLE_KEY, command: op read x}}\n---\n\n${MINIMAL_AGENT}`,
    [SETTINGS]: 'credentials: {"*.example.com": {env: EXAMPLE_KEY}}\n',
  });
  const [right, wrong] = await Promise.all(
    ["agent", "wrong"].map((name) => runCommandLine(["check", name], { home: home.path })),
  );
  expect([right?.exitCode, right?.stderr]).toEqual([0, expect.stringContaining("settings.yaml:1:15")]);
  expect(right?.stderr).toContain("unexpected `*.example.com` with a wildcard in `credentials`");
  expect([wrong?.exitCode, wrong?.stdout]).toEqual([
    2,
    expect.stringContaining("cannot set `credentials.api.example.com.command`"),
  ]);
});

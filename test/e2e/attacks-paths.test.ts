import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const KEY = "sk-ant-api03-never-to-be-read-0123456789";

/** The names of the home folder as they should stay. */
const FILES = {
  "agent/agent.mdx": MINIMAL_AGENT,
  "agent/a.txt": "inside",
  "agent-evil/secret": "SECRET",
  "outside/secret": "SECRET",
  ".ssh/id_ed25519": "SECRET",
};

/** What is called, and what the model must be told of it. */
type Attempt = readonly [what: string, path: string, told: RegExp];

const NOT_RUN = /^not run: .*--allow/s;

const READS: readonly Attempt[] = [
  ["a file outside, by ../", "../outside/secret", NOT_RUN],
  ["a neighbour whose name begins like the agent's", "../agent-evil/secret", NOT_RUN],
  ["a file outside, through a link inside", "link", NOT_RUN],
  ["a file outside, through a linked folder", "door/secret", NOT_RUN],
  ["a key of the home folder", "../.ssh/id_ed25519", NOT_RUN],
  ["the environment of the program", "/proc/self/environ", NOT_RUN],
  ["a device", "/dev/zero", NOT_RUN],
  ["a pipe that nobody writes to", "pipe", /is a named pipe/],
  ["a file of 1 GB", "huge", /is a binary file/],
  ["a name with a new line", "two\nlines", /^strange$/],
  ["a name with a leading dash", "-rf", /^strange$/],
  ["a name from right to left", "a\u202etxt.exe", /^strange$/],
  ["what is inside", "in/../a.txt", /^inside$/],
];

const WRITES: readonly Attempt[] = [
  ["outside, by ../", "../outside/new", NOT_RUN],
  ["a neighbour whose name begins like the agent's", "../agent-evil/new", NOT_RUN],
  ["outside, through a linked folder", "door/new", NOT_RUN],
  ["a key of the home folder", "../.ssh/authorized_keys", NOT_RUN],
  ["agent.mdx", "in/../agent.mdx", NOT_RUN],
  ["a module", "modules/new.ts", NOT_RUN],
  ["the trust of the user", "../.local/state/mdx-ai/trust.json", NOT_RUN],
  ["the settings of the user", "../.config/mdx-ai/settings.yaml", NOT_RUN],
  ["the journal", "sessions/main/journal.jsonl", NOT_RUN],
  ["a device", "/dev/null", NOT_RUN],
  ["a pipe", "pipe", /is a device or pipe/],
];

function place(home: TemporaryDirectory): void {
  const strange = Object.fromEntries(
    ["two\nlines", "-rf", "a\u202etxt.exe"].map((name) => [`agent/${name}`, "strange"]),
  );
  writeFiles(home.path, { ...FILES, ...strange, "agent/huge": "" });
  const agent = join(home.path, "agent");
  mkdirSync(join(agent, "in"));
  truncateSync(join(agent, "huge"), 1024 ** 3);
  symlinkSync("../outside/secret", join(agent, "link"));
  symlinkSync("../outside", join(agent, "door"));
  expect(Bun.spawnSync(["mkfifo", join(agent, "pipe")]).exitCode).toBe(0);
}

/** Runs a prompt whose model makes all the calls at once. */
function prompt(home: TemporaryDirectory, calls: NonNullable<Reply["calls"]>): Promise<CliResult> {
  const model = scriptReference(home.path, [{ calls }, { text: "Done." }]);
  const args = ["agent", ".", "--trust", "--model", model, "--prompt", "go", "--json"];
  return runCommandLine(args, {
    home: home.path,
    cwd: join(home.path, "agent"),
    environment: { ANTHROPIC_API_KEY: KEY },
  });
}

/** What the model was told of each call, by the id of the call. */
const toldOf = ({ stdout }: CliResult): ReadonlyMap<string, string> =>
  new Map(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "tool_execution_end")
      .map(({ toolCallId, result }) => [toolCallId, result.content[0].text]),
  );

test.each([
  ["read_file", READS],
  ["write_file", WRITES],
] as const)(
  "a model that tries %s on hostile paths: outside is refused, pipe, device and 1 GB keep nobody waiting, odd names are names",
  async (tool, attempts) => {
    using home = temporaryDirectory();
    place(home);
    const content = tool === "write_file" ? { content: "hostile" } : {};
    const result = await prompt(
      home,
      attempts.map(([what, path]) => ({ id: what, name: tool, arguments: { path, ...content } })),
    );
    expect(result.exitCode).toBe(0);
    const told = toldOf(result);
    const others = attempts.filter(([what, , expected]) => !expected.test(told.get(what) ?? ""));
    expect(others.map(([what]) => [what, told.get(what)])).toEqual([]);
    expect([...told.values()].join("\n")).not.toMatch(/SECRET|never-to-be-read/);
    for (const [path, text] of Object.entries(FILES)) expect(readFileSync(join(home.path, path), "utf8")).toBe(text);
    expect(readdirSync(join(home.path, "outside"))).toEqual(["secret"]);
    expect(readdirSync(join(home.path, "agent-evil"))).toEqual(["secret"]);
    expect(readdirSync(join(home.path, ".ssh"))).toEqual(["id_ed25519"]);
  },
);

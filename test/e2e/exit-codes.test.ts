import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AbsenceMarkers } from "../../packages/runtime/src/sandbox/absence-markers.ts";
import { runFolder } from "../../packages/runtime/src/sandbox/run-folder.ts";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { type CliOptions, cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

interface Failure {
  readonly title: string;
  readonly args: readonly string[];
  readonly exitCode: number;
  /** What standard error says, in parts. */
  readonly says: readonly string[];
  readonly options?: Partial<CliOptions>;
}

const run = ["agent", "agent", "--trust", "--prompt", "hi"];
const long = "x".repeat(129);

const failures: readonly Failure[] = [
  { title: "no command", args: [], exitCode: 2, says: ["no command given", "mdx-ai DIR"] },
  { title: "an unknown command", args: ["agnet"], exitCode: 2, says: ['"agnet"', "did you mean `agent`?"] },
  { title: "a missing directory in place of a command", args: ["./agnet"], exitCode: 2, says: ["./agnet is no agent"] },
  {
    title: "a broken directory in place of a command",
    args: ["./aimless"],
    exitCode: 2,
    says: ["aimless/agent.mdx:1:1 error", "./aimless cannot run"],
  },
  {
    title: "an unknown option in place of a command",
    args: ["--modle"],
    exitCode: 2,
    says: ["did you mean `--model`?"],
  },
  { title: "an unknown option", args: [...run, "--modle", "x"], exitCode: 2, says: ["did you mean `--model`?"] },
  { title: "a missing value", args: ["agent", "--prompt"], exitCode: 2, says: ["--prompt needs a value"] },
  { title: "too many arguments", args: ["agent", "agent", "hi"], exitCode: 2, says: ['unexpected argument "hi"'] },
  { title: "a temperature out of range", args: [...run, "--temp", "3"], exitCode: 2, says: ["--temp", "0 to 2"] },
  { title: "a temperature in words", args: [...run, "--temp", "hot"], exitCode: 2, says: ["--temp", '"hot"'] },
  { title: "no turns at all", args: [...run, "--max-turns", "0"], exitCode: 2, says: ["--max-turns", "at least 1"] },
  { title: "half a turn", args: [...run, "--max-turns", "1.5"], exitCode: 2, says: ["--max-turns", "whole number"] },
  {
    title: "an empty prompt",
    args: ["agent", "agent", "--trust", "--prompt", " "],
    exitCode: 2,
    says: ["the prompt is empty"],
  },
  {
    title: "a conversation without a terminal",
    args: ["agent", "agent", "--trust"],
    exitCode: 2,
    says: ["--prompt TEXT"],
  },
  { title: "JSON of a conversation", args: ["agent", "agent", "--json"], exitCode: 2, says: ["--json needs a prompt"] },
  {
    title: "an ephemeral session with a name",
    args: [...run, "--ephemeral", "--session", "a"],
    exitCode: 2,
    says: ["--ephemeral"],
  },
  { title: "a working folder that is missing", args: [...run, "--cwd", "nowhere"], exitCode: 2, says: ["nowhere"] },
  { title: "a working folder without a name", args: [...run, "--cwd="], exitCode: 2, says: ['--cwd ""'] },
  { title: "the command of a tool host", args: ["__tool-host"], exitCode: 2, says: ["unknown command"] },
  {
    title: "an environment file that is missing",
    args: [...run, "--env-file", "no.env"],
    exitCode: 2,
    says: ["no.env"],
  },
  {
    title: "a missing directory",
    args: ["agent", "nowhere", "--trust", "--prompt", "hi"],
    exitCode: 2,
    says: ["nowhere"],
  },
  {
    title: "a file in place of a directory",
    args: ["agent", "file", "--trust", "--prompt", "hi"],
    exitCode: 2,
    says: ["file"],
  },
  {
    title: "a missing agent.mdx",
    args: ["agent", "empty", "--trust", "--prompt", "hi"],
    exitCode: 2,
    says: ["agent.mdx"],
  },
  {
    title: "an unreadable agent.mdx",
    args: ["agent", "folder", "--trust", "--prompt", "hi"],
    exitCode: 2,
    says: ["agent.mdx"],
  },
  {
    title: "invalid frontmatter",
    args: ["agent", "yaml", "--trust", "--prompt", "hi"],
    exitCode: 2,
    says: ["agent.mdx:", "error"],
  },
  {
    title: "an agent without a purpose",
    args: ["agent", "aimless", "--trust", "--prompt", "hi"],
    exitCode: 2,
    says: ["Purpose"],
  },
  { title: "a session id that climbs", args: [...run, "--session", "../x"], exitCode: 2, says: ['"../x"'] },
  { title: "an empty session id", args: [...run, "--session", ""], exitCode: 2, says: ["empty"] },
  { title: "a long session id", args: [...run, "--session", long], exitCode: 2, says: ["128"] },
  {
    title: "a session id that Windows refuses",
    args: [...run, "--session", "con.txt"],
    exitCode: 2,
    says: ["Windows"],
  },
  { title: "a session id that ends with a dot", args: [...run, "--session", "a."], exitCode: 2, says: ["dot"] },
  { title: "an unknown provider", args: [...run, "--model", "anthropc/x"], exitCode: 2, says: ["anthropc/x"] },
  {
    title: "a model script that is missing",
    args: [...run, "--model", "script:no.jsonl"],
    exitCode: 2,
    says: ["no.jsonl"],
  },
  {
    title: "an unknown skill",
    args: ["agent", "agent", "--trust", "--prompt", "/skill:none"],
    exitCode: 2,
    says: ["none"],
  },
  { title: "a missing key", args: [...run, "--model", "anthropic/x"], exitCode: 1, says: ["ANTHROPIC_API_KEY"] },
  {
    title: "an untrusted directory",
    args: ["agent", "agent", "--prompt", "hi"],
    exitCode: 3,
    says: ["--trust", "mdx-ai trust "],
  },
  { title: "an untrusted tool", args: ["tool", "agent", "greet", "name=x"], exitCode: 3, says: ["--trust"] },
  { title: "a tool without a name", args: ["tool", "agent", "--trust"], exitCode: 2, says: ["greet", "bash"] },
  {
    title: "an unknown tool",
    args: ["tool", "agent", "gret", "--trust"],
    exitCode: 2,
    says: ["did you mean `greet`?", "read_file"],
  },
  {
    title: "arguments that a schema refuses",
    args: ["tool", "agent", "greet", "--trust"],
    exitCode: 1,
    says: ["name"],
  },
  {
    title: "a tool that throws",
    args: ["tool", "agent", "greet", "name=nobody", "--trust"],
    exitCode: 1,
    says: ["there is nobody"],
  },
  { title: "trust for what is no agent", args: ["trust", "empty"], exitCode: 2, says: ["agent.mdx"] },
  {
    title: "trust without a place for it",
    args: ["trust", "agent"],
    exitCode: 2,
    says: ["HOME"],
    options: { environment: { HOME: undefined } },
  },
  {
    title: "taking back trust that was not given",
    args: ["trust", "agent", "--remove"],
    exitCode: 2,
    says: ["not on the list"],
  },
  { title: "a new agent over another", args: ["init", "agent"], exitCode: 2, says: ["already exists"] },
  { title: "a new agent without a place", args: ["init"], exitCode: 2, says: ["mdx-ai init DIR"] },
  { title: "a new agent in a file", args: ["init", "file"], exitCode: 2, says: ["is a file"] },
];

test("a failure of the prose's code is reported at its position, as no fault of the program", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, {
    "agent.mdx": `${MINIMAL_AGENT}\n{nowhere()}\n\nexport const nowhere = () => { throw new Error("lost"); };\n`,
  });
  const result = await runCli(["agent", "--trust", "--model", "offline", "--prompt", "hi"], { home: home.path });
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(result.stderr).toMatch(/^mdx-ai: lost \(agent\.mdx:9:\d+[^\n]*\)$/m);
});

describe("a failure is one line on standard error and its exit code", () => {
  test.each(failures)("$title", async ({ args, exitCode, says, options }) => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "agent/agent.mdx": GREETING_AGENT,
      "yaml/agent.mdx": `---\nname: [\n---\n\n${MINIMAL_AGENT}`,
      "aimless/agent.mdx": "# Agent: Aimless\n",
      file: "",
    });
    mkdirSync(join(home.path, "empty"));
    mkdirSync(join(home.path, "folder/agent.mdx"), { recursive: true });
    const result = await runCli(args, { home: home.path, ...options });
    expect({ exitCode: result.exitCode, stdout: result.stdout }, result.stderr).toEqual({ exitCode, stdout: "" });
    for (const part of says) expect(result.stderr).toContain(part);
    expect(result.stderr).not.toContain("    at ");
    const last = result.stderr.trimEnd().split("\n").at(-1) ?? "";
    if (args[0] !== "tool" || exitCode !== 1) expect(last).toStartWith("mdx-ai: ");
  });

  test("of the model exits with 1 and prints no answer", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(home.path, [
      { text: "half an", error: { message: "refused", status: 400, after: 1 } },
    ]);
    const result = await runCli(["agent", "--trust", "--prompt", "hi", "--model", model], { home: home.path });
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toMatch(/^mdx-ai: .*refused.*\n$/);
  });

  test("by the limit of turns exits with 4 and says how to raise it", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT, "a.txt": "a" });
    const calls = [{ id: "c1", name: "read_file", arguments: { path: "a.txt" } }];
    const model = scriptReference(home.path, [
      { calls },
      { calls: [{ id: "c2", name: "read_file", arguments: { path: "a.txt" } }] },
    ]);
    const args = ["agent", "--trust", "--prompt", "hi", "--model", model, "--max-turns", "2"];
    const result = await runCli(args, { home: home.path });
    expect(result).toMatchObject({ exitCode: 4, stdout: "" });
    expect(result.stderr).toContain("mdx-ai: stopped at the limit of 2 turns; allow more with --max-turns N");
  });

  test("by the output limit exits with 4 and prints what there is", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(home.path, [{ text: "a long stor", stopReason: "length" }]);
    const result = await runCli(["agent", "--trust", "--prompt", "hi", "--model", model], { home: home.path });
    expect(result).toMatchObject({ exitCode: 4, stdout: "a long stor\n" });
    expect(result.stderr).toContain("max_tokens");
  });

  test.each([
    // The executable says it in the words of Bun.
    [
      "the current folder was removed",
      'mkdir gone; cd gone; rmdir ../gone; "$@"',
      /current folder|current working dir/,
    ],
    ["no space is left for the output", '"$@" >/dev/full', /^mdx-ai: .*no space left on device/],
  ])("tells that %s", async (_name, script, message) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const child = Bun.spawn(["sh", "-c", script, "sh", ...cliCommand(["inspect", join(home.path, "agent")])], {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stderr] = await Promise.all([child.stderr.text(), child.exited]);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(child.exitCode).toBeOneOf([1, 2]);
  });

  test("that a module did not handle is reported in one line as well", async () => {
    using home = temporaryDirectory();
    const module = `export default {
      describe: () => ({ name: "broken", description: "Fails in the air" }),
      initialize: async () => {},
      tools: () => [],
      systemPrompt: () => "",
      start: async () => { Promise.reject(new Error("nobody waits")); },
      stop: () => {},
    };`;
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT, "modules/broken.ts": module });
    const model = scriptReference(home.path, [{ text: "late", delay: 60_000 }]);
    const args = ["agent", "--trust", "--prompt", "hi", "--model", model];
    const result = await runCli(args, { home: home.path });
    expect(result).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "mdx-ai: unexpected failure: nobody waits (add --debug for the stack trace)\n",
    });
  });

  test.skipIf(process.platform !== "linux")(
    "of commands that keep creating what defines the agent is expected",
    async () => {
      using home = temporaryDirectory();
      const agent = writeFiles(join(home.path, "agent"), {
        "agent.mdx": MINIMAL_AGENT,
        "heartbeat.md": "# Heartbeat\n",
      });
      const markers = new AbsenceMarkers(agent, runFolder());
      try {
        // Nothing can be moved there, so that the file is as if it were created again at once.
        markers.write(join(home.path, "nowhere"), ["heartbeat.md"]);
        expect(await runCli(["check", "agent"], { home: home.path })).toEqual({
          exitCode: 1,
          stdout: "",
          stderr: expect.stringMatching(
            /(?:^|\n)mdx-ai: commands that run in \S+ keep creating [^\n]+ stop them first\n$/,
          ),
        });
      } finally {
        markers.remove(markers.own);
      }
    },
  );

  test("shows a stack trace with --debug alone", async () => {
    using home = temporaryDirectory();
    const result = await runCli(["agent", "nowhere", "--session", "..", "--prompt", "x", "--debug"], {
      home: home.path,
    });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("    at ");
  });

  test("is reported in one line although names hold newlines and escape sequences", async () => {
    using home = temporaryDirectory();
    const result = await runCli(["a\nb\u001b[31mc\u009b2J"], { home: home.path });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(/^mdx-ai: [^\p{Cc}]*\n$/u);
  });
});

describe("help", () => {
  test.each([[["--help"]], [["-h"]], [["help"]], [["agent", "--help"]], [["help", "tool"]], [["check", "-h"]]])(
    "%j goes to standard output with exit code 0",
    async (args) => {
      using home = temporaryDirectory();
      const result = await runCli(args, { home: home.path });
      expect(result).toMatchObject({ exitCode: 0, stderr: "" });
      expect(result.stdout).toMatch(/^Usage:\s+mdx-ai /m);
    },
  );

  test("of the whole program fits a screen of 120 columns", async () => {
    using home = temporaryDirectory();
    const { stdout } = await runCli(["--help"], { home: home.path });
    expect(stdout.split("\n").filter((line) => line.length > 120)).toStrictEqual([]);
  });

  test("--version prints the version", async () => {
    using home = temporaryDirectory();
    const result = await runCli(["--version"], { home: home.path });
    expect(result).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
  });
});

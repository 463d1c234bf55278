import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import type { CliOptions } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
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
  { title: "no command", args: [], exitCode: 2, says: ["no agent is named", "mdx-ai DIR"] },
  { title: "an unknown command", args: ["agnet"], exitCode: 2, says: ['"agnet"', "did you mean `agent`?"] },
  {
    title: "a missing directory instead of a command",
    args: ["./agnet"],
    exitCode: 2,
    says: ["./agnet is not an agent directory"],
  },
  {
    title: "a broken directory instead of a command",
    args: ["./aimless"],
    exitCode: 2,
    says: ["aimless/agent.mdx:1:1 error", "./aimless cannot run"],
  },
  {
    title: "an unknown option instead of a command",
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
    title: "a file instead of a directory",
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
    const result = await runCommandLine(args, { home: home.path, ...options });
    expect({ exitCode: result.exitCode, stdout: result.stdout }, result.stderr).toEqual({ exitCode, stdout: "" });
    for (const part of says) expect(result.stderr).toContain(part);
    expect(result.stderr).not.toContain("    at ");
    const last = result.stderr.trimEnd().split("\n").at(-1) ?? "";
    if (args[0] !== "tool" || exitCode !== 1) expect(last).toStartWith("mdx-ai: ");
  });
});

describe("help", () => {
  test.each([[["--help"]], [["-h"]], [["help"]], [["agent", "--help"]], [["help", "tool"]], [["check", "-h"]]])(
    "%j goes to standard output with exit code 0",
    async (args) => {
      using home = temporaryDirectory();
      const result = await runCommandLine(args, { home: home.path });
      expect(result).toMatchObject({ exitCode: 0, stderr: "" });
      expect(result.stdout).toMatch(/^Usage:\s+mdx-ai /m);
    },
  );

  test("of the whole program fits a screen of 120 columns", async () => {
    using home = temporaryDirectory();
    const { stdout } = await runCommandLine(["--help"], { home: home.path });
    expect(stdout.split("\n").filter((line) => line.length > 120)).toStrictEqual([]);
  });

  test("--version prints the version", async () => {
    using home = temporaryDirectory();
    const result = await runCommandLine(["--version"], { home: home.path });
    expect(result).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
  });
});

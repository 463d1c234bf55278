import { describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { overloaded, type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const look: Reply = {
  calls: [{ id: "c1", name: "bash", arguments: { command: "echo hi" } }],
  usage: { input: 1000, output: 20, thinking: 15 },
};
const answer: Reply = { text: "Seen.", usage: { input: 234, cacheRead: 1000, output: 36, thinking: 5 } };
const prices = JSON.stringify({ models: { "script/*": { input: 100, output: 200, cacheRead: 10 } } });

interface Bench extends Disposable {
  readonly directory: string;
  /** Runs a prompt on a model that gives these answers. */
  ask(replies: readonly Reply[], ...args: readonly string[]): Promise<CliResult>;
}

/** An agent with these settings, and a user with these prices. */
function bench(settings: string, userPrices?: string): Bench {
  const folder = temporaryDirectory();
  const directory = writeFiles(join(folder.path, "agent"), { "agent.mdx": `---\n${settings}\n---\n${MINIMAL_AGENT}` });
  const home = join(folder.path, "home");
  if (userPrices !== undefined) writeFiles(home, { ".config/mdx-ai/prices.json": userPrices });
  return {
    directory,
    ask: (replies, ...args) => {
      const model = args.includes("--model") ? [] : ["--model", scriptReference(folder.path, replies)];
      const command = ["agent", directory, "--trust", ...model, "--prompt", "go", ...args];
      return runCommandLine(command, { home, environment: { TZ: noonZone() } });
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** A time zone in which no day ends for hours. */
function noonZone(): string {
  const offset = 12 - new Date().getUTCHours();
  return offset >= 0 ? `Etc/GMT-${offset}` : `Etc/GMT+${-offset}`;
}

const spentLine =
  /^mdx-ai: 2 turns, 2,234 tokens in \(1,000 cached\), 56 out \(20 thinking\), 2,290 total, \$0\.1446, [\d.]+ s$/m;

describe("the usage and cost of a prompt", () => {
  test("is printed to standard error after it, at the user's prices, and kept in a file of the owner alone", async () => {
    using run = bench("name: spender", prices);
    const { stdout, stderr, exitCode } = await run.ask([look, answer], "--session", "money");
    expect([stdout, exitCode]).toEqual(["Seen.\n", 0]);
    expect(stderr).toMatch(spentLine);
    const ledger = join(run.directory, "state/usage.jsonl");
    const lines = readFileSync(ledger, "utf8").trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ session: "money", prompt: 1, input: 1000, output: 20, thinking: 15, usd: 0.104 }),
      expect.objectContaining({ session: "money", prompt: 1, input: 234, cacheRead: 1000, output: 36, usd: 0.0406 }),
    ]);
    expect(statSync(ledger).mode & 0o777).toBe(0o600);
  });

  test("is below the answer on a terminal, dimmed", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(folder.path, [answer]);
    const args = ["agent", "agent", "--trust", "--model", model, "--prompt", "go"];
    await using run = new TerminalRun(args, { home: folder.path });
    expect(await run.exited).toBe(0);
    const dim = "\u001b[2mmdx-ai: 1 turn, 1,234 tokens in";
    expect(run.output).toContain(dim);
    expect(run.output.indexOf(dim)).toBeGreaterThan(run.output.indexOf("Seen."));
  });

  test.skipIf(requireProgram("bwrap"))("is in the last event instead with --json", async () => {
    using run = bench("name: spender", prices);
    const { stdout, stderr } = await run.ask([look, answer], "--json");
    expect(stderr).toBe("");
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      type: "agent_end",
      cost: { usage: { input: 1234, cacheRead: 1000, output: 56, thinking: 20 }, usd: 0.1446, calls: 2 },
    });
  });

  test.skipIf(requireProgram("bwrap"))("is nothing where no tokens were used", async () => {
    using run = bench("name: spender");
    expect(await run.ask([{ text: "Free." }])).toEqual({ stdout: "Free.\n", stderr: "", exitCode: 0 });
  });

  test("says that the cost is unknown for a model without a known price", async () => {
    using folder = temporaryDirectory();
    using server = anthropicServer(textReply("Hello."));
    const directory = writeFiles(join(folder.path, "agent"), { "agent.mdx": MINIMAL_AGENT });
    const args = ["agent", directory, "--trust", "--model", "claude-nobody-knows", "--prompt", "hi"];
    const { stderr } = await runCommandLine(args, { home: folder.path, environment: server.environment });
    expect(stderr).toMatch(/^mdx-ai: 1 turn, .* tokens in.*, .* out, .* total, cost unknown, [\d.]+ s$/m);
  });

  test("is counted without prices that cannot be understood, whose position is reported", async () => {
    using run = bench("name: spender", '{\n  "models": {\n    "script/*": { "inptu": 1 }\n  }\n}\n');
    const { stderr, exitCode } = await run.ask([answer]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("tools; did you mean `input`?");
    expect(stderr).toContain("(1,000 cached), 36 out (5 thinking), 1,270 total, $0, ");
  });

  test("is not counted in an ephemeral run", async () => {
    using run = bench("name: spender", prices);
    const { stderr } = await run.ask([look, answer], "--ephemeral");
    expect(stderr).toMatch(spentLine);
    expect(() => statSync(join(run.directory, "state"))).toThrow("ENOENT");
  });
});

describe.skipIf(requireProgram("bwrap"))("what happens to a prompt beside its turns", () => {
  test("is a line for each repetition", async () => {
    using run = bench("retries: [0, 0]");
    const { stdout, stderr, exitCode } = await run.ask([overloaded, overloaded, { text: "At last." }]);
    expect([stdout, exitCode]).toEqual(["At last.\n", 0]);
    expect(stderr).toBe(
      "mdx-ai: overloaded; retrying at once (1 of 2)\nmdx-ai: overloaded; retrying at once (2 of 2)\n",
    );
  });

  test("is a line where another model is asked", async () => {
    using run = bench("retries: 0");
    using folder = temporaryDirectory();
    const first = scriptReference(folder.path, [overloaded]);
    const second = scriptReference(folder.path, [{ text: "Here." }]);
    const { stdout, stderr, exitCode } = await run.ask([], "--model", `${first},${second}`);
    expect([stdout, exitCode]).toEqual(["Here.\n", 0]);
    const [from, to] = [first, second].map((reference) => reference.replace("script:", "script/"));
    expect(stderr).toBe(`mdx-ai: ${from} is unavailable (overloaded); using ${to} from now on\n`);
  });

  test("is one line of the failure when the repetitions are used up", async () => {
    using run = bench("retries: [0]");
    const { stdout, stderr, exitCode } = await run.ask([overloaded, overloaded]);
    expect([stdout, exitCode]).toEqual(["", 1]);
    expect(stderr).toBe("mdx-ai: overloaded; retrying at once (1 of 1)\nmdx-ai: overloaded\n");
  });
});

describe.skipIf(requireProgram("bwrap"))("a limit that is reached", () => {
  const calls = [look, look, look];

  test.each([
    ["turns: 1", "stopped at the limit of 1 turn; allow more with --max-turns N, or limits.turns in agent.mdx"],
    ["tokens: 1000", "stopped at the limit of 1,000 tokens; allow more with limits.tokens in agent.mdx"],
    ["usd: 0.1", "stopped at the limit of $0.10; allow more with limits.usd in agent.mdx"],
    [
      "repeats: 2",
      "stopped after 2 identical tool calls with identical results; allow more with limits.repeats in agent.mdx",
    ],
    ["session: { tokens: 1000 }", "stopped at the session's limit of 1,000 tokens; allow more with"],
    ["day: { usd: 0.1 }", "stopped at the day's limit of $0.10; allow more with"],
  ])("%s ends the prompt with exit code 4, and says how to raise it", async (limit, told) => {
    using run = bench(`limits: { ${limit} }`, prices);
    const { stdout, stderr, exitCode } = await run.ask(calls);
    expect([stdout, exitCode]).toEqual(["", 4]);
    expect(stderr.trimEnd().split("\n").at(-1)).toStartWith(`mdx-ai: ${told}`);
  });

  test("of a session or a day applies in another process", async () => {
    using run = bench("limits: { session: { tokens: 2000 }, day: { usd: 0.2 } }", prices);
    expect((await run.ask([look, answer])).exitCode).toBe(0);
    const again = await run.ask([answer]);
    expect([again.exitCode, again.stderr]).toEqual([
      4,
      expect.stringContaining("at the session's limit of 2,000 tokens"),
    ]);
    expect((await run.ask([answer], "--session", "other")).exitCode).toBe(0);
    expect((await run.ask([answer], "--session", "third")).exitCode).toBe(0);
    const last = await run.ask([answer], "--session", "fourth");
    expect([last.exitCode, last.stderr]).toEqual([4, expect.stringContaining("at the day's limit of $0.20")]);
  });

  test("in dollars is refused for a model without a known price, until the user adds it", async () => {
    using folder = temporaryDirectory();
    using server = anthropicServer(textReply("Hello."));
    const files = { "agent/agent.mdx": `---\nlimits: { usd: 1 }\n---\n${MINIMAL_AGENT}` };
    writeFiles(folder.path, files);
    const args = ["agent", "agent", "--trust", "--model", "claude-nobody-knows", "--prompt", "hi"];
    const options = { home: folder.path, environment: server.environment };
    const { stderr, exitCode } = await runCommandLine(args, options);
    expect([exitCode, server.requests.length]).toEqual([2, 0]);
    expect(stderr).toMatch(/^mdx-ai: the price of anthropic\/claude-nobody-knows is unknown.*prices\.json.*\n$/);
    const models = { "anthropic/claude-nobody-knows": { input: 1, output: 5 } };
    writeFiles(folder.path, { ".config/mdx-ai/prices.json": JSON.stringify({ models }) });
    expect(await runCommandLine(args, options)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/, \$0\.0\d+, /),
    });
  });
});

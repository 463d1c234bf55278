import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { assistantMessage, toolResult, userMessage } from "../support/model-request.ts";
import { beginLine, beginOf } from "../support/prompt-steps.ts";
import { overloaded, type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";
import { traceJournal } from "../support/trace-journal.ts";

interface Bench extends Disposable {
  readonly home: string;
  readonly directory: string;
  /** Asks the agent and gives what it said. */
  ask(replies: readonly Reply[], prompt: string, ...args: readonly string[]): Promise<CliResult>;
  trace(...args: readonly string[]): Promise<CliResult>;
}

/** An agent with these settings, and files beside it. */
function bench(settings: string, files: Readonly<Record<string, string>> = {}): Bench {
  const folder = temporaryDirectory();
  const home = folder.path;
  const agent = `---\n${settings}\n---\n${MINIMAL_AGENT}`;
  const directory = writeFiles(join(home, "agent"), { "agent.mdx": agent, ...files });
  return {
    home,
    directory,
    ask: (replies, prompt, ...args) =>
      runCli(["agent", "agent", "--trust", "--model", scriptReference(home, replies), "--prompt", prompt, ...args], {
        home,
      }),
    trace: (...args) => runCli(["trace", "agent", ...args], { home }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const bash = (id: string, command: string) => ({ id, name: "bash", arguments: { command } });
const usage = { input: 1000, output: 20 };
const used = { ...usage, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 1020 };
const looking: Reply[] = [
  overloaded,
  { text: "Let me see.", calls: [bash("c1", "echo hi"), bash("c2", "echo no; exit 3")], usage },
  { calls: [bash("c3", "echo on")], usage },
];

const journal = (...lines: readonly (readonly [step: string, result?: unknown])[]): string =>
  lines
    .map(([step, result]) => ({ v: 1, prompt: 1, step, ...(result === undefined ? { started: true } : { result }) }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

const calling = assistantMessage([{ type: "toolCall", ...bash("c1", "echo twice >> mark") }], {
  stopReason: "toolUse",
  latency: 5,
});

describe("mdx-ai trace", () => {
  test.skipIf(requireProgram("bwrap"))(
    "draws prompts, turns and tools with times, tokens, costs, retries, errors and limits",
    async () => {
      using agent = bench("retries: [0]\nlimits: { turns: 2 }");
      expect((await agent.ask(looking, "go on")).exitCode).toBe(4);
      expect((await agent.ask([{ text: "Fine.", usage }], "and now?")).exitCode).toBe(0);
      const { exitCode, stdout, stderr } = await agent.trace();
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      const expected = [
        /^session main {2}2 prompts, 3,000 tokens in, 60 out, 3,060 total, \$0$/,
        /^├─ prompt 1 {2}go on$/,
        /^│ {2}├─ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, [\d.]+ s, 2,000 tokens in, 40 out, 2,040 total, \$0$/,
        /^│ {2}├─ turn 1$/,
        /^│ {2}│ {2}├─ ✗ model:1 {2}overloaded \(status 529\) {2}[\d.]+ s, script/,
        /^│ {2}│ {2}├─ ↻ retry:1#2 {2}waited 0 s$/,
        /^│ {2}│ {2}├─ ✓ model:1#2 {2}[\d.]+ s, 1,000 tokens in, 20 out, \$0, script/,
        /^│ {2}│ {2}├─ ✓ bash {2}[\d.]+ s {"command":"echo hi"}$/,
        /^│ {2}│ {2}└─ ✗ bash {2}[\d.]+ s {2}no \[exit code 3\] {"command":"echo no; exit 3"}$/,
        /^│ {2}├─ turn 2$/,
        /^│ {2}│ {2}├─ ✓ model:2 {2}[\d.]+ s, 1,000 tokens in/,
        /^│ {2}│ {2}└─ ✓ bash {2}[\d.]+ s {"command":"echo on"}$/,
        /^│ {2}└─ stopped at the limit of 2 turns; /,
        /^└─ prompt 2 {2}and now\?$/,
        /^ {3}├─ .* s, 1,000 tokens in, 20 out, 1,020 total, \$0$/,
        /^ {3}├─ turn 1$/,
        /^ {3}│ {2}└─ ✓ model:1 {2}/,
        /^ {3}└─ done$/,
      ];
      const lines = stdout.trimEnd().split("\n");
      for (const [at, pattern] of expected.entries()) expect(lines[at]).toMatch(pattern);
      expect(lines.length).toBe(expected.length);
    },
  );

  test("shows one prompt alone, and gives programs the same as JSON", async () => {
    using agent = bench("name: two");
    await agent.ask([{ text: "One.", usage }], "first");
    await agent.ask([{ text: "Two.", usage }], "second");
    const second = await agent.trace("--prompt", "2");
    expect(second.stdout).toStartWith("prompt 2  second\n├─ ");
    expect(second.stdout).not.toContain("first");
    const { stdout } = await agent.trace("--prompt=2", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      session: "main",
      cost: { calls: 2 },
      prompts: [
        {
          number: 2,
          input: "second",
          outcome: "done",
          duration: expect.any(Number),
          turns: [{ number: 1, steps: [{ type: "model", step: "model:1", text: "Two.", usage, usd: 0 }] }],
        },
      ],
      unreadableLines: [],
    });
  });

  test("shows that a prompt was interrupted, before it is resumed and after", async () => {
    const steps = journal(["model:1", calling], ["policy:1", { calls: ["run"] }], ["tool:1:c1"]);
    const begun = `${JSON.stringify(beginLine(1, "go"))}\n${steps}{"v":1,"pro`;
    using agent = bench("name: cut", { "sessions/main/journal.jsonl": begun });
    const before = await agent.trace();
    expect(before.stdout).toContain("… bash  started, no result");
    expect(before.stdout).toContain("└─ interrupted\n");
    expect(readdirSync(join(agent.directory, "sessions/main"))).toStrictEqual(["journal.jsonl"]);
    expect(readFileSync(join(agent.directory, "sessions/main/journal.jsonl"), "utf8")).toEndWith('{"v":1,"pro');
    await agent.ask([{ text: "Skipped." }, { text: "Next." }], "next", "--resume");
    const after = await agent.trace("--json");
    const [prompt] = JSON.parse(after.stdout).prompts;
    expect(prompt.outcome).toBe("done");
    expect(prompt.resumptions).toStrictEqual([{ step: "resume:1", at: expect.any(Number), turn: 1 }]);
    expect(prompt.turns[0].steps[1]).toMatchObject({ step: "tool:1:c1", state: "interrupted" });
    expect(prompt.turns[0].steps[1]).not.toHaveProperty("duration");
  });

  test("reads a session that another process holds, and warns of damaged lines", async () => {
    const lock = JSON.stringify({ pid: process.pid, since: "2026-01-01T00:00:00.000Z" });
    const text = `${journal(["begin", beginOf("go")])}damaged\n`;
    using agent = bench("name: held", { "sessions/other/journal.jsonl": text, "sessions/other/lock": lock });
    const { exitCode, stdout, stderr } = await agent.trace("--session", "other");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("prompt 1  go");
    expect(stderr).toContain("the journal has lines that cannot be read and are not shown: journal.jsonl:2\n");
    expect(readFileSync(join(agent.directory, "sessions/other/lock"), "utf8")).toBe(lock);
  });

  test("shows what a summary made of a request and what it cost, and a failed one with the reason", async () => {
    const answer = assistantMessage([{ type: "text", text: "s" }], { usage: used, cost: 0.5, latency: 7 });
    const gain = { before: 90_000, after: 1200, measured: "provider" };
    const made = { summary: "s", kept: [], message: userMessage("s"), replaced: 1, made: 1, timestamp: 0 };
    const text = journal(
      ["begin", beginOf("go")],
      ["compact:1", { reason: "nobody answers" }],
      ["compact:1/2", { ...made, ...gain, answer }],
      ["model:1", assistantMessage([{ type: "text", text: "Done." }])],
      ["end", { outcome: "done", at: 0 }],
    );
    using agent = bench("name: long", { "sessions/main/journal.jsonl": text });
    const { stdout } = await agent.trace();
    expect(stdout).toMatch(/├─ ✗ compact:1 {2}nobody answers$/m);
    expect(stdout).toMatch(/├─ ≡ compact:1\/2 {2}a request has 1,200 instead of 90,000 tokens {2}.*20 out, \$0\.50/);
    const page = (await agent.trace("--html", "-")).stdout;
    for (const told of ["nobody answers", '"before":90000,"after":1200']) expect(page).toContain(told);
    const [prompt] = JSON.parse((await agent.trace("--json")).stdout).prompts;
    expect(prompt.turns[0].steps).toMatchObject([
      { type: "compaction", step: "compact:1", error: "nobody answers" },
      { type: "compaction", step: "compact:1/2", gain, call: { usd: 0.5 } },
      { type: "model", step: "model:1" },
    ]);
  });

  test("shows what the user said meanwhile, where another process resumed, queued inputs and rewinds", async () => {
    using agent = bench("name: full", { "sessions/main/journal.jsonl": traceJournal() });
    const { exitCode, stdout } = await agent.trace();
    expect(exitCode).toBe(0);
    const lines = stdout.split("\n");
    const after = (start: string): string => lines[lines.findIndex((line) => line.includes(start)) + 1] ?? "";
    expect(after("turn 2")).toContain("› you:  Not so fast");
    expect(after("✓ model:2")).toMatch(/↷ interrupted; resumed at 1970-01-01 \d\d:\d\d:\d\d$/);
    expect(after("↷ interrupted")).toContain("✗ bash  interrupted, outcome unknown");
    expect(stdout).toContain("├─ the agent changed: name\n");
    expect(stdout).toContain("├─ queued; it became prompt 3  Then the docs\n├─ went back to the end of prompt 1\n");
  });

  test("writes one page with a timeline to a new file with mode 600, or to standard output", async () => {
    using agent = bench("name: page", { "sessions/main/journal.jsonl": traceJournal() });
    const written = await agent.trace("--html", "page.html");
    const path = join(agent.home, "page.html");
    expect(written).toEqual({ exitCode: 0, stdout: `Written: ${path}\n`, stderr: "" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const page = readFileSync(path, "utf8");
    expect(page).toStartWith("<!doctype html>");
    expect(page).toContain("default-src 'none'");
    expect((await agent.trace("--html=-")).stdout).toBe(page);
    const again = await agent.trace("--html", "page.html");
    expect({ ...again, stderr: "" }).toEqual({ exitCode: 2, stdout: "", stderr: "" });
    expect(again.stderr).toContain(`${path} already exists; name a new file`);
    expect(readFileSync(path, "utf8")).toBe(page);
  });

  test("writes a page of one prompt alone, which all figures are of", async () => {
    using agent = bench("name: page", { "sessions/main/journal.jsonl": traceJournal() });
    const { stdout } = await agent.trace("--prompt", "2", "--html", "-");
    expect(stdout).toContain("connection reset");
    expect(stdout).not.toContain("Not so fast");
    expect(stdout).not.toContain("went back to");
    expect(stdout).toMatch(/"session":"main","cost":\{[^}]*\},"usd":0.01,/);
  });

  test("fits the width of a terminal, in colour, and lets nothing foreign act upon it", async () => {
    const evil = `\u001b]0;title\u0007\u001b[2J${"界".repeat(200)}\r\nnext`;
    const lines = journal(
      ["begin", beginOf(evil)],
      ["model:1", calling],
      ["tool:1:c1", toolResult("c1", evil, { isError: true, timestamp: 10 })],
      [`odd\u001b[2J${"x".repeat(200)}`, 1],
    );
    using agent = bench("name: wide", { "sessions/main/journal.jsonl": lines });
    await using run = new TerminalRun(["trace", "agent"], { home: agent.home });
    expect(await run.exited).toBe(0);
    expect(run.output).toContain("\u001b[31m✗\u001b[39m");
    expect(run.output.replaceAll(/\p{Cc}\[\d+m/gu, "")).not.toContain("\u001b");
    const widths = run.output.split("\r\n").map((line) => Bun.stringWidth(line));
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
    expect(Math.max(...widths)).toBeGreaterThan(75);
    expect((await agent.trace()).stdout).not.toContain("\u001b");
  });

  test.each<[string, readonly string[], string]>([
    ["no folder", ["trace", "nowhere"], "nowhere is not a folder"],
    ["a file", ["trace", "agent/sessions/main/journal.jsonl"], "journal.jsonl is not a folder"],
    ["a missing folder for a page", ["trace", "agent", "--html", "no/x.html"], "/no does not exist; create it first\n"],
    ["no such prompt", ["trace", "agent", "--prompt", "2"], "there is no prompt 2 in session main; it has 1 prompt\n"],
    [
      "two forms at once",
      ["trace", "agent", "--json", "--html", "x"],
      "--json and --html exclude each other; leave one out",
    ],
    ["no file for a page", ["trace", "agent", "--html="], '--html needs a file, or - for standard output, but got ""'],
    ["no number", ["trace", "agent", "--prompt", "x"], "--prompt needs a whole number of at least 1"],
    ["a bad id", ["trace", "agent", "--session", "../main"], 'bad session id "../main"'],
  ])("is clear about %s", async (_title, args, says) => {
    using agent = bench("name: one", { "sessions/main/journal.jsonl": journal(["begin", beginOf("go")]) });
    const { exitCode, stdout, stderr } = await runCli(args, { home: agent.home });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(says);
  });

  test.each([
    [["trace", "agent", "--session", "x"], 'there is no session "x"; mdx-ai sessions DIR lists the existing ones'],
    [["trace", "."], 'there is no session "main"; '],
  ])("of a session that is not there is nothing, with exit code 1: %j", async (args, says) => {
    using agent = bench("name: one", { "sessions/main/journal.jsonl": journal(["begin", beginOf("go")]) });
    const { exitCode, stdout, stderr } = await runCli(args, { home: agent.home });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(says);
  });
});

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AgentOptions } from "@mdx-ai/runtime";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { beginLine } from "../support/prompt-steps.ts";
import { noProcessesOf } from "../support/remaining-processes.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const usage = { input: 1000, output: 20 };
const call = (id: string, name: string, args: Readonly<Record<string, string>>) => ({ id, name, arguments: args });
const greet = (name = "Ada") => call("g", "greet", { name });

/** A home with an agent, and a session of it in which a model gave these answers to one prompt each. */
async function recorded(agent: string, prompts: readonly (readonly Reply[])[]): Promise<TemporaryDirectory> {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": agent });
  for (const [number, replies] of prompts.entries()) await say(home, `question ${number + 1}`, replies);
  return home;
}

async function say(
  home: TemporaryDirectory,
  prompt: string,
  replies: readonly Reply[],
  options: Partial<AgentOptions> = {},
): Promise<void> {
  const agent = await openScriptAgent(join(home.path, "agent"), replies, options);
  await Array.fromAsync(agent.session().prompt(prompt));
  await agent.close();
}

const at = ({ path }: TemporaryDirectory) => ({ home: path });

const replay = (home: TemporaryDirectory, ...args: readonly string[]): Promise<CliResult> =>
  runCommandLine(["replay", "agent", ...args], at(home));

const conversation = [
  [
    { calls: [greet()], usage },
    { text: "She is greeted.", usage },
  ],
  [{ text: "Yes.", usage }],
];

type JsonEvent = Readonly<Record<string, unknown>>;

const jsonLines = (text: string): readonly JsonEvent[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** What of events does not depend on how an answer came in. */
const lasting = (events: readonly JsonEvent[]): readonly JsonEvent[] =>
  events
    .filter(({ type }) => type !== "message_update")
    .map((event) =>
      event["type"] === "message_start" && JSON.stringify(event).includes('"role":"assistant"')
        ? { type: "start" }
        : event,
    );

/** All files below a folder, with their contents. */
const contents = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isFile() ? [[name, readFileSync(path, "utf8")] as const] : [];
    });

describe("mdx-ai replay", () => {
  test("shows the whole conversation with its figures, without a model, without tools and without trust", async () => {
    using home = await recorded(`${GREETING_AGENT}`, conversation);
    const before = contents(join(home.path, "agent"));
    const { exitCode, stdout, stderr } = await replay(home);
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toBe(`> question 1
→ greet {"name":"Ada"}
✓ greet Hello Ada
She is greeted.
> question 2
Yes.

2 prompts, 3 turns, 1 tool call, 3,000 tokens in, 60 out, 3,060 total, $0
`);
    expect(contents(join(home.path, "agent"))).toStrictEqual(before);
  });

  test("gives the events of the run as JSON, with one update a block, then a report", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
    const replies: readonly Reply[] = [
      { error: { message: "overloaded", status: 529 } },
      { thinking: "Hm.", text: "I greet.", calls: [greet(), call("h", "greet", {}), call("i", "missing", {})], usage },
      { deltas: ["She ", "is ", "greeted."], usage },
    ];
    const asked = ["--model", scriptReference(home.path, replies), "--prompt", "greet Ada", "--json", "--retries", "1"];
    const live = jsonLines((await runCommandLine(["agent", "agent", "--trust", ...asked], at(home))).stdout);
    const { exitCode, stdout } = await replay(home, "--json");
    const events = jsonLines(stdout);
    expect(exitCode).toBe(0);
    expect(lasting(events.slice(0, -1))).toStrictEqual(lasting(live));
    expect(events.filter(({ type }) => type === "message_update")).toHaveLength(6);
    expect(events.at(-1)).toMatchObject({
      ...{ type: "replay_report", version: 1, changes: [], unknownAgents: [] },
      prompts: [
        {
          prompt: 1,
          input: "greet Ada",
          answer: "She is greeted.",
          outcome: "done",
          turns: 2,
          tools: 3,
          differences: [],
        },
      ],
    });
  });

  test("names the parts of the agent that changed since, and exits with 1", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    const changed = GREETING_AGENT.replace("Greet people.", "Be nice.").replace('name="loud"', 'name="quiet"');
    writeFiles(home.path, { "agent/agent.mdx": changed });
    const { exitCode, stdout } = await replay(home, "--prompt", "2");
    expect(exitCode).toBe(1);
    expect(stdout).toEndWith('the agent changed since prompt 2: section "Purpose", parameters of tool greet\n');
    expect(stdout).not.toContain("question 1");
  });

  test("says so if the recording does not describe the agent, and does not count that as a change", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    const journal = join(home.path, "agent/sessions/main/journal.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    await Bun.write(journal, lines.filter((line) => !line.includes('"agent:1"')).join("\n"));
    const { exitCode, stdout } = await replay(home);
    expect(exitCode).toBe(0);
    expect(stdout).toEndWith("the recording does not describe the agent, so changes since then are unknown\n");
  });

  test("shows how each prompt ended: at a limit, by a failure, cut short", async () => {
    using home = await recorded(GREETING_AGENT, []);
    await say(home, "one", [{ calls: [greet()], usage }], { maxTurns: 1 });
    await say(home, "two", [{ error: { message: "out of order", status: 400 } }]);
    const journal = join(home.path, "agent/sessions/main/journal.jsonl");
    await Bun.write(journal, `${readFileSync(journal, "utf8")}${JSON.stringify(beginLine(3, "three"))}\n`);
    const { exitCode, stdout } = await replay(home);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("> one\n→ greet");
    expect(stdout).toMatch(/^mdx-ai: prompt 1: stopped at the limit of 1 turn;/m);
    expect(stdout).toContain("> two\nmdx-ai: prompt 2: out of order");
    expect(stdout).toContain("> three\nmdx-ai: prompt 3 was cut short, and its recording ends here\n");
  });

  test("names the step that a recording lacks, plays the other prompts, and exits with 1", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    const journal = join(home.path, "agent/sessions/main/journal.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    await Bun.write(journal, lines.filter((line) => !line.includes('"tool:1:g","result"')).join("\n"));
    const { exitCode, stdout } = await replay(home);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("mdx-ai: prompt 1: the recording has no step tool:1:g: lines of it are lost");
    expect(stdout).toContain("> question 2\nYes.\n");
  });

  test("leaves out prompts that were left by going back", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    await runCommandLine(["sessions", "agent", "rewind", "main", "--to", "1"], at(home));
    const { stdout } = await replay(home);
    expect(stdout).toContain("question 1");
    expect(stdout).not.toContain("question 2");
  });

  test("does nothing to a terminal that a recording wants", async () => {
    using home = await recorded(GREETING_AGENT, [[{ text: "\u001b]0;owned\u0007\u001b[2Jhello\u202e" }]]);
    const { stdout } = await replay(home);
    expect(stdout).toContain("\nhello\n");
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  });

  test.each([
    [["--session", "none"], /there is no session "none"/],
    [["--file", "none.jsonl"], /there is no file .*none\.jsonl/],
    [["--prompt", "7"], /there is no prompt 7 in the recording; it has 2 prompts, the last is 2/],
    [["--prompt", "0"], /--prompt needs/],
    [["--session", "main", "--file", "x"], /--session and --file name two recordings/],
    [["--yes"], /--yes has no effect without --live-tools/],
    [["--with", ""], /--with needs a model/],
    [["--session", "../main"], /./],
  ])("says in one line what is wrong with %j", async (args, message) => {
    using home = await recorded(GREETING_AGENT, conversation);
    const { exitCode, stdout, stderr } = await replay(home, ...args);
    expect(exitCode).toBeGreaterThan(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain("unexpected failure");
  });
});

/** An agent with a tool that keeps a list of its calls in its folder, and says what stands in the file `said`. */
const acting = `${MINIMAL_AGENT}
<Tool name="act" description="Acts">

\`\`\`ts
async function execute(_: unknown, ctx: any) {
  const { appendFileSync, readFileSync } = require("node:fs");
  appendFileSync(ctx.agentDir + "/calls", "x");
  const said = readFileSync(ctx.agentDir + "/said", "utf8");
  if (said === "hang") await new Promise(() => setInterval(() => {}, 1000));
  return said;
}
\`\`\`

</Tool>
`;

async function acted(): Promise<TemporaryDirectory> {
  const home = await recorded(acting, []);
  writeFiles(home.path, { "agent/said": "one\ntwo\nthree" });
  await say(home, "act", [{ calls: [call("a", "act", {})] }, { text: "Done." }]);
  return home;
}

const calls = (home: TemporaryDirectory): number => readFileSync(join(home.path, "agent/calls"), "utf8").length;

describe("mdx-ai replay --live-tools", () => {
  test.skipIf(requireProgram("bwrap"))("runs the tools again, says so, and shows where a result differs", async () => {
    using home = await acted();
    const same = await replay(home, "--live-tools", "--trust");
    expect(same).toMatchObject({
      exitCode: 0,
      stderr: "mdx-ai: tools run again for real, with all their effects: act\n",
    });
    expect(calls(home)).toBe(2);
    writeFiles(home.path, { "agent/said": "one\n2\nthree" });
    const other = await replay(home, "--live-tools", "--trust");
    expect(other.exitCode).toBe(1);
    expect(other.stdout).toContain(`act returns a different result now (- recorded, + now)
      one
    - two
    + 2
      three
`);
    expect(other.stdout).toEndWith("1 tool result different from the recording\n");
    const report = jsonLines((await replay(home, "--live-tools", "--trust", "--json")).stdout).at(-1);
    const [text, now] = ["one\ntwo\nthree", "one\n2\nthree"].map((said) => [{ type: "text", text: said }]);
    expect(report).toMatchObject({
      prompts: [
        { differences: [{ step: "tool:1:a", name: "act", recorded: { content: text }, now: { content: now } }] },
      ],
    });
  });

  test("runs nothing of a directory that is not trusted", async () => {
    using home = await acted();
    expect(await replay(home, "--live-tools")).toMatchObject({ exitCode: 3, stdout: "" });
    expect(calls(home)).toBe(1);
  });

  test("asks on a terminal, once, and runs nothing after a no", async () => {
    using home = await acted();
    await using run = new TerminalRun(["replay", "agent", "--live-tools", "--trust"], at(home));
    await run.shows("Continue?");
    run.write("n");
    expect(await run.exited).toBe(0);
    expect(run.output).toContain("Nothing was run.");
    expect(calls(home)).toBe(1);
    await using sure = new TerminalRun(["replay", "agent", "--live-tools", "--trust", "--yes"], at(home));
    expect(await sure.exited).toBe(0);
    expect(sure.output).not.toContain("Continue?");
    expect(calls(home)).toBe(2);
  });

  test("is stopped by Ctrl+C with the tools that run, and leaves no process behind", async () => {
    using home = await acted();
    writeFiles(home.path, { "agent/said": "hang" });
    const child = Bun.spawn(cliCommand(["replay", "agent", "--live-tools", "--trust"]), {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    await eventually(() => expect(calls(home)).toBe(2));
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    await noProcessesOf(home.path);
  });
});

describe.skipIf(requireProgram("bwrap"))("mdx-ai replay --with", () => {
  test("asks another model for the same prompts, compares answer by answer, and writes nothing", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    const before = contents(join(home.path, "agent"));
    const model = scriptReference(home.path, [
      { calls: [greet(), greet("Bob")], usage },
      { text: "He is greeted.", usage },
      { text: "Yes.", usage },
    ]);
    const { exitCode, stdout, stderr } = await replay(home, "--with", model);
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("✓ greet Hello Ada\n");
    expect(stdout).toContain("✗ greet this call was not recorded; run it with --live-tools\n");
    expect(stdout).toContain(`a different answer (- recorded, + now); 1 call not recorded
    - She is greeted.
    + He is greeted.
`);
    expect(stdout).toContain("the same answer\n");
    expect(stdout).toMatch(/^1 +other +2 → 2 +1 → 2 +2,040 → 2,040 +\$0 → \$0$/m);
    expect(stdout).toMatch(/^all +3 → 3 +1 → 2 +3,060 → 3,060 +\$0 → \$0$/m);
    expect(contents(join(home.path, "agent"))).toStrictEqual(before);
  });

  test("reports the comparison as JSON, below the events of the other model", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    const model = scriptReference(home.path, [{ text: "No.", usage }]);
    const lines = jsonLines((await replay(home, "--with", model, "--prompt", "2", "--json")).stdout);
    expect(lines.at(0)).toStrictEqual({ type: "agent_start", promptId: expect.any(String), id: "1.1" });
    expect(lines.at(-1)).toMatchObject({
      ...{ type: "comparison_report", version: 1, changes: [], left: 0 },
      model: model.replace(":", "/"),
      prompts: [
        {
          prompt: 2,
          input: "question 2",
          recorded: { answer: "Yes." },
          now: { answer: "No." },
          calls: { recorded: 0, others: 0 },
        },
      ],
    });
  });

  test("stops at a failure of the model, and exits with 1", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    const model = scriptReference(home.path, [{ error: { message: "out of order", status: 400 } }]);
    const { exitCode, stdout } = await replay(home, "--with", model);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("mdx-ai: prompt 1: out of order\n");
    expect(stdout).toContain("1 prompt skipped, since one failed\n");
  });

  test("runs calls that were not recorded with --live-tools alone", async () => {
    using home = await acted();
    const other = [{ calls: [call("a", "act", {}), call("b", "bash", { command: "touch here" })] }, { text: "Done." }];
    await replay(home, "--with", scriptReference(home.path, other));
    expect({ calls: calls(home), here: existsSync(join(home.path, "agent/here")) }).toEqual({ calls: 1, here: false });
    const { stderr } = await replay(home, "--with", scriptReference(home.path, other), "--live-tools", "--trust");
    expect({ calls: calls(home), here: existsSync(join(home.path, "agent/here")) }).toEqual({ calls: 1, here: true });
    expect(stderr).toContain("mdx-ai: calls that were not recorded run for real, with all their effects\n");
  });
});

describe("recorded sessions as tests", () => {
  const keep = (home: TemporaryDirectory, name: string): Promise<CliResult> => {
    writeFiles(home.path, { "agent/tests/.keep": "" });
    return runCommandLine(
      ["sessions", "agent", "export", "main", "--format", "jsonl", "--output", `agent/tests/${name}`],
      at(home),
    );
  };
  const runTests = (home: TemporaryDirectory, ...args: readonly string[]): Promise<CliResult> =>
    runCommandLine(["test", "agent", "--trust", ...args], at(home));

  test("are exported as one file that plays as the session does, and are replaced by no later export", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    expect(await keep(home, "greeting.jsonl")).toMatchObject({ exitCode: 0 });
    expect((await keep(home, "greeting.jsonl")).stderr).toContain("already exists");
    expect(statSync(join(home.path, "agent/tests/greeting.jsonl")).mode & 0o777).toBe(0o600);
    const fromFile = await replay(home, "--file", "agent/tests/greeting.jsonl", "--json");
    expect(fromFile).toStrictEqual(await replay(home, "--json"));
  });

  test("pass while nothing of the agent has changed, and fail with the part that has and the way to record them again", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    await keep(home, "greeting.jsonl");
    expect(await runTests(home)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^✓ recording: greeting/),
    });
    writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT.replace("Greet people.", "Be nice.") });
    const { exitCode, stdout } = await runTests(home);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("✗ recording: greeting  agent/tests/greeting.jsonl:1:1\n");
    expect(stdout).toContain(
      'the agent changed since prompt 2: section "Purpose"; record it again: mdx-ai sessions DIR export',
    );
  });

  test("must give the same results where their tools run again", async () => {
    using home = await acted();
    await keep(home, "act.jsonl");
    expect((await runTests(home, "--live-tools")).exitCode).toBe(0);
    expect(calls(home)).toBe(2);
    writeFiles(home.path, { "agent/said": "one\n2\nthree" });
    expect((await runTests(home)).exitCode).toBe(0);
    expect(calls(home)).toBe(2);
    const { exitCode, stdout } = await runTests(home, "--live-tools");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("prompt 1: act returns a different result now (- recorded, + now); record it again");
    expect(stdout).toContain("    - two\n    + 2\n");
  });

  test("that cannot be read fail alone, with the reason", async () => {
    using home = await recorded(GREETING_AGENT, conversation);
    await keep(home, "good.jsonl");
    writeFiles(home.path, {
      "agent/tests/bad.jsonl": "garbage\n",
      "agent/tests/empty.jsonl": "",
      "agent/tests/x.txt": "",
    });
    const { exitCode, stdout } = await runTests(home);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/✗ recording: bad .*\n.*bad\.jsonl:1 is not a line of a recording/);
    expect(stdout).toMatch(/✗ recording: empty .*\n.*it has no prompt; record it again/);
    expect(stdout).toContain("✓ recording: good");
    expect(stdout).toContain("1 passed, 2 failed");
  });

  test("of agents with modules do not load these", async () => {
    using home = await recorded(GREETING_AGENT, []);
    const module = `import { appendFileSync } from "node:fs";
appendFileSync(import.meta.dir + "/loaded", "x");
export default { describe: () => ({ name: "m", description: "M" }), initialize: async () => {}, systemPrompt: () => "",
  tools: () => [{ name: "mine", description: "Mine", parameters: { type: "object" }, execute: async () => String(Math.random()) }],
  start: async () => {}, stop: () => {} };\n`;
    writeFiles(home.path, { "agent/modules/m.ts": module });
    await say(home, "go", [{ calls: [call("m", "mine", {})] }, { text: "Done." }]);
    await keep(home, "mine.jsonl");
    expect(await runTests(home, "--live-tools")).toMatchObject({ exitCode: 0 });
    expect(await replay(home)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(home.path, "agent/modules/loaded"), "utf8")).toBe("x");
    // A process loads a module once.
    const live = ["replay", "agent", "--live-tools", "--trust"];
    expect(await runCli(live, at(home))).toMatchObject({ exitCode: 1 });
    expect(readFileSync(join(home.path, "agent/modules/loaded"), "utf8")).toBe("xx");
  });
});

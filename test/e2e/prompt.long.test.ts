import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliOptions, type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

interface PromptOptions extends Partial<CliOptions> {
  readonly args?: readonly string[];
  readonly prompt?: string;
}

function prompt(home: TemporaryDirectory, replies: readonly Reply[], options: PromptOptions = {}): Promise<CliResult> {
  const { args = [], prompt: text = "hi", ...rest } = options;
  if (!existsSync(join(home.path, "agent.mdx"))) writeFiles(home.path, { "agent.mdx": GREETING_AGENT });
  const model = scriptReference(home.path, replies);
  return runCommandLine(["agent", "--trust", "--prompt", text, "--model", model, ...args], {
    home: home.path,
    ...rest,
  });
}

const userText = (home: TemporaryDirectory): string => {
  const history: unknown = JSON.parse(readFileSync(join(home.path, "sessions/main/history.json"), "utf8"));
  return Array.isArray(history) ? String(history[0]?.content) : "";
};

const greeting: readonly Reply[] = [
  { text: "Let me see. ", calls: [{ id: "c1", name: "greet", arguments: { name: "Ada" } }] },
  { text: "I said: Hello Ada" },
];

describe("one prompt", () => {
  test.skipIf(requireProgram("bwrap"))(
    "prints the final answer alone, and tool activity on standard error",
    async () => {
      using home = temporaryDirectory();
      const result = await prompt(home, greeting);
      expect(result).toEqual({
        exitCode: 0,
        stdout: "I said: Hello Ada\n",
        stderr: '→ greet {"name":"Ada"}\n✓ greet Hello Ada\n',
      });
    },
  );

  test("shows a failed tool and continues", async () => {
    using home = temporaryDirectory();
    const calls = [{ id: "c1", name: "greet", arguments: { name: "nobody" } }];
    const result = await prompt(home, [{ calls }, { text: "Sorry." }]);
    expect(result).toMatchObject({ exitCode: 0, stdout: "Sorry.\n" });
    expect(result.stderr).toContain("✗ greet ");
    expect(result.stderr).toContain("there is nobody");
  });

  test("prints neither control sequences of the model nor of a tool", async () => {
    using home = temporaryDirectory();
    const calls = [{ id: "c1", name: "greet", arguments: { name: "\u001b[2J\u001b]0;owned\u0007\u202eAda\u009b31m" } }];
    const result = await prompt(home, [
      { calls },
      { text: "\u001b[31mred\u001b[0m\u001b]52;c;eA==\u0007\r\nline\u0008\tend" },
    ]);
    expect(result.stdout).toBe("red\nline\tend\n");
    expect(result.stderr).toContain("✓ greet Hello Ada\n");
    expect(result.stderr).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  });

  test("says that no model is configured, on standard error", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": GREETING_AGENT });
    const result = await runCommandLine(["agent", "--trust", "--prompt", "greet name=Ada"], { home: home.path });
    expect(result.exitCode).toBe(0);
    expect(result.stdout).toContain("Hello Ada");
    expect(result.stderr).toContain("ANTHROPIC_API_KEY");
  });

  test("is kept in the session main, or in the one that is named", async () => {
    using home = temporaryDirectory();
    await prompt(home, [{ text: "one" }]);
    await prompt(home, [{ text: "two" }], { args: ["--session", "work"] });
    expect(readdirSync(join(home.path, "sessions")).sort()).toEqual(["main", "work"]);
    const history = readFileSync(join(home.path, "sessions/work/history.json"), "utf8");
    expect(JSON.parse(history)).toMatchObject([{ content: "hi" }, { content: "two" }]);
  });

  test("keeps nothing with --ephemeral, so that runs can go side by side", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
    const model = scriptReference(home.path, greeting);
    const args = ["agent", "agent", "--trust", "--ephemeral", "--prompt", "hi", "--model", model];
    const results = await Promise.all([1, 2, 3].map(() => runCommandLine(args, { home: home.path })));
    for (const result of results) expect(result).toMatchObject({ exitCode: 0, stdout: "I said: Hello Ada\n" });
    expect(readdirSync(join(home.path, "agent")).sort()).toEqual(["agent.mdx", "skills"]);
  });

  test.each([
    { place: "agent", args: [] },
    { place: "elsewhere", args: ["--cwd", "elsewhere"] },
  ])("runs its tools in the agent directory, or where --cwd says: $args", async ({ place, args }) => {
    using home = temporaryDirectory();
    mkdirSync(join(home.path, "elsewhere"));
    const tool =
      '<Tool name="where" description="Where">\n\n```ts\nasync function execute(_: unknown, ctx: { cwd: string }) {\n  return ctx.cwd;\n}\n```\n\n</Tool>\n';
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT + tool });
    const calls = [{ id: "c1", name: "where", arguments: {} }];
    const result = await prompt(home, [{ calls }, { text: "ok" }], { args: ["agent", ...args] });
    expect(result.stderr).toContain(`✓ where ${join(home.path, place)}\n`);
  });

  test.skipIf(requireProgram("bwrap"))("prints warnings about the directory in short before it runs", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": `---\nmodle: x\n---\n\n${MINIMAL_AGENT}` });
    const result = await prompt(home, [{ text: "ok" }]);
    expect(result).toMatchObject({ exitCode: 0, stdout: "ok\n" });
    expect(result.stderr).toMatch(/^agent\.mdx:2:1 warning \S+ [^\n]*\n$/);
  });
});

describe("the prompt", () => {
  test("comes from standard input with -", async () => {
    using home = temporaryDirectory();
    const result = await prompt(home, [{ text: "ok" }], { prompt: "-", input: "from a pipe\n" });
    expect(result.exitCode).toBe(0);
    expect(userText(home).trimEnd()).toBe("from a pipe");
  });

  test("has below it what is piped in", async () => {
    using home = temporaryDirectory();
    await prompt(home, [{ text: "ok" }], { prompt: "summarise", input: "line 1\nline 2 ü\n" });
    expect(userText(home).trimEnd()).toBe("summarise\n\nline 1\nline 2 ü");
  });

  test("stays as it is where the pipe is empty", async () => {
    using home = temporaryDirectory();
    await prompt(home, [{ text: "ok" }], { prompt: "alone", input: "" });
    expect(userText(home)).toBe("alone");
  });

  test("may have dashes at its start", async () => {
    using home = temporaryDirectory();
    await prompt(home, [{ text: "ok" }], { prompt: "- a list" });
    expect(userText(home)).toBe("- a list");
  });

  test("from an empty pipe is wrong usage", async () => {
    using home = temporaryDirectory();
    const result = await prompt(home, [{ text: "ok" }], { prompt: "-", input: "" });
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain("the prompt is empty");
  });

  test("waits for a slow pipe", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const args = ["agent", "--trust", "--prompt", "summarise", "--model", scriptReference(home.path, [{ text: "ok" }])];
    const script = '(sleep 0.5; printf "late "; sleep 0.5; printf data) | "$@"';
    const child = Bun.spawn(["sh", "-c", script, "sh", ...cliCommand(args)], {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(await child.exited).toBe(0);
    expect(userText(home)).toBe("summarise\n\nlate data");
  });

  test("does not wait for ever for an input that a program left open", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const args = ["agent", "--trust", "--prompt", "alone", "--model", scriptReference(home.path, [{ text: "ok" }])];
    const child = Bun.spawn(cliCommand(args), {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["pipe", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect(stdout).toBe("ok\n");
    expect(stderr).toContain("/dev/null");
    expect(userText(home)).toBe("alone");
  });

  test("expands /skill:name", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "skills/tea/SKILL.md": "---\nname: tea\ndescription: Make tea\n---\n\nBoil water in {baseDir}.\n",
    });
    const result = await prompt(home, [{ text: "ok" }], { prompt: "/skill:tea now" });
    expect(result.exitCode).toBe(0);
    expect(userText(home)).toContain(`Boil water in ${join(home.path, "skills/tea")}.`);
    expect(userText(home)).toContain("now");
  });
});

describe("--json", () => {
  const lines = (result: CliResult): readonly Readonly<Record<string, unknown>>[] =>
    result.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  test.skipIf(requireProgram("bwrap"))("prints every event as one line of JSON and nothing else", async () => {
    using home = temporaryDirectory();
    const result = await prompt(home, greeting, { args: ["--json"] });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    const types = lines(result).map(({ type }) => type);
    expect(types.filter((type) => type !== "message_update")).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "tool_execution_start",
      "tool_execution_end",
      "message_start",
      "message_end",
      "turn_end",
      "turn_start",
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
  });

  test("has in an update what is new, and not the message again", async () => {
    using home = temporaryDirectory();
    const result = await prompt(home, [{ deltas: ["one ", "two ", "three"], deltaDelay: 5 }], { args: ["--json"] });
    const updates = lines(result).filter(({ type }) => type === "message_update");
    for (const update of updates)
      expect(Object.keys(update).sort()).toStrictEqual(["assistantMessageEvent", "index", "step", "type"]);
    const events = updates.map((update) => update["assistantMessageEvent"]);
    expect(events).toContainEqual({ type: "text_delta", contentIndex: 0, delta: "one " });
    expect(JSON.stringify(events)).not.toContain("partial");
  });

  test("keeps notices and errors off standard output", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": `---\nmodle: x\n---\n\n${MINIMAL_AGENT}` });
    const result = await runCommandLine(["agent", "--trust", "--prompt", "hi", "--json"], { home: home.path });
    expect(lines(result).at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
    expect(result.stderr).toContain("ANTHROPIC_API_KEY");
    expect(result.stderr).toContain("warning");
  });

  test("ends with agent_end where the model fails, with exit code 1", async () => {
    using home = temporaryDirectory();
    const result = await prompt(home, [{ error: { message: "broken\u009b31m" } }], { args: ["--json"] });
    expect(result.exitCode).toBe(1);
    expect(lines(result).at(-1)).toMatchObject({ type: "agent_end", outcome: "error" });
    expect(result.stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  test("says that a limit was reached, with exit code 4", async () => {
    using home = temporaryDirectory();
    const result = await prompt(home, greeting, { args: ["--json", "--max-turns", "1"] });
    expect(result.exitCode).toBe(4);
    expect(lines(result)).toContainEqual(expect.objectContaining({ type: "limit_reached", limit: "turns", value: 1 }));
  });

  test("loses none of 10,000 deltas", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const deltas = Array.from({ length: 10_000 }, (_, index) => `${index} `);
    using server = anthropicServer(textReply(...deltas));
    const args = ["agent", "--trust", "--json", "--prompt", "hi", "--model", "anthropic/x"];
    const result = await runCommandLine(args, { home: home.path, environment: server.environment });
    const text = lines(result)
      .map(({ assistantMessageEvent: event }) =>
        typeof event === "object" && event !== null && "delta" in event ? String(event.delta) : "",
      )
      .join("");
    expect(text).toBe(deltas.join(""));
  });
});

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory, toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeText } from "../support/agent-files.ts";
import { answerEvents, failureReply, textReply, toolReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { eventually } from "../support/eventually.ts";
import { assistantMessage } from "../support/model-request.ts";
import { beginOf } from "../support/prompt-steps.ts";
import { type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import type { TemporaryDirectory } from "../support/temporary-directory.ts";

/** Not all in one piece: whoever looks for keys in this repository shall find none. */
const PASTED = `ghp${"_"}${"aB3dE5gH7jK9".repeat(3)}`;
const PRINTED = `AKIA${"IOSFODNN7EXAMPLE"}`;
const VARIABLE = "plain-Password-0815";
const ENVIRONMENT = { DATABASE_PASSWORD: VARIABLE };
const PROMPT = `My key is ${PASTED}, use it.`;
const AGENT = MINIMAL_AGENT + toolText("leak", `return "${PRINTED} and ${VARIABLE}";`);

function run(directory: TemporaryDirectory, server: AnthropicServer, ...args: readonly string[]): Promise<CliResult> {
  const environment = { ...server.environment, ...ENVIRONMENT };
  return runCommandLine(args, { home: join(directory.path, "home"), cwd: directory.path, environment });
}

const prompt = (...more: readonly string[]): readonly string[] => [
  ...["agent", ".", "--trust", "--model", "claude-test", "--prompt", PROMPT],
  ...more,
];

/** The files that an agent wrote, by their paths. */
function written({ path }: TemporaryDirectory): ReadonlyMap<string, string> {
  const folders = ["sessions", "logs", "state"].map((name) => join(path, name));
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }));
  return new Map(
    files
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]),
  );
}

function expectNoKey(text: string): void {
  for (const key of [PASTED, PRINTED, VARIABLE]) expect(text).not.toContain(key);
}

const leakReplies = () => [
  toolReply({ id: "a", name: "leak", input: { text: PASTED } }),
  textReply(`It says ${PRINTED}.`),
];

describe("keys that a user pastes, a tool prints, and a variable holds", () => {
  test("are in no journal, history, log or state, and in no event; the model receives them as they are", async () => {
    using directory = agentDirectory({ "agent.mdx": AGENT });
    using server = anthropicServer(...leakReplies());
    const { exitCode, stdout, stderr } = await run(directory, server, ...prompt("--json"));
    expect(exitCode).toBe(0);
    expect(server.requests[1]?.text).toContain(PASTED);
    expect(server.requests[1]?.text).toContain(`${PRINTED} and ${VARIABLE}`);
    const files = written(directory);
    const names = ["journal.jsonl", "history.json", "main.jsonl", "agent-state.json"];
    expect(names.filter((name) => !files.has(name))).toStrictEqual([]);
    expectNoKey([...files.values(), stderr].join("\n"));
    const whole = stdout.split("\n").filter((line) => !line.includes("_delta"));
    expectNoKey(whole.join("\n"));
    for (const name of ["journal.jsonl", "history.json", "main.jsonl"]) {
      expect(files.get(name)).toContain("[redacted GitHub key]");
    }
    expect(files.get("journal.jsonl")).toContain("[redacted AWS key] and [redacted DATABASE_PASSWORD]");
  });

  test("a journal without them is continued, verified, replayed, traced and exported as any other", async () => {
    using directory = agentDirectory({ "agent.mdx": AGENT });
    using server = anthropicServer(...leakReplies(), textReply("Again."));
    await run(directory, server, ...prompt());
    const again = await run(directory, server, ...prompt());
    expect([again.exitCode, again.stdout]).toStrictEqual([0, "Again.\n"]);
    expect(server.requests[2]?.refusal).toBeUndefined();
    expect(server.requests[2]?.text).toContain("My key is [redacted GitHub key], use it.");
    const commands = [
      ["sessions", ".", "verify", "--check"],
      ["replay", "."],
      ["replay", ".", "--json"],
      ["replay", ".", "--live-tools", "--yes", "--trust"],
      ["trace", "."],
      ["trace", ".", "--json"],
      ["trace", ".", "--html", "-"],
      ...["md", "json", "html"].map((format) => ["sessions", ".", "export", "main", "--format", format]),
    ];
    const results = await Promise.all(commands.map((command) => run(directory, server, ...command)));
    expect(results.map(({ exitCode }, place) => [commands[place], exitCode])).toStrictEqual(
      commands.map((command) => [command, 0]),
    );
    expectNoKey(results.map(({ stdout, stderr }) => stdout + stderr).join("\n"));
  });

  test("a prompt that a crash cut short is brought to its end from such a journal, and logged once", async () => {
    using directory = agentDirectory({ "agent.mdx": AGENT });
    using server = anthropicServer(...leakReplies().slice(0, 1), { events: [], before: 60_000 }, textReply("Done."));
    const home = join(directory.path, "home");
    const environment = { ...server.environment, ...ENVIRONMENT };
    const child = Bun.spawn(cliCommand(prompt()), {
      cwd: directory.path,
      env: cliEnvironment({ home, environment }),
      stdio: ["ignore", "ignore", "ignore"],
    });
    await eventually(() => expect(server.requests).toHaveLength(2));
    child.kill("SIGKILL");
    await child.exited;
    const resumed = await run(directory, server, "agent", ".", "--trust", "--model", "claude-test", "--resume");
    expect([resumed.exitCode, resumed.stdout]).toStrictEqual([0, "Done.\n"]);
    expect(server.requests[2]?.text).toContain("[redacted AWS key] and [redacted DATABASE_PASSWORD]");
    expect((await run(directory, server, "sessions", ".", "verify", "--check")).exitCode).toBe(0);
    const log = written(directory).get("main.jsonl") ?? "";
    expectNoKey(log);
    for (const event of ["user_message", "tool_call", "tool_result"]) {
      expect(log.split(`"event":"${event}"`).length - 1).toBe(1);
    }
  });

  test("leave no half where a line is cut: in calls, results, logs and the trace of an older journal", async () => {
    const filler = "x ".repeat(40);
    const leak = toolText("leak", `return "${"y ".repeat(45)}${VARIABLE} and more ${filler}";`);
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + leak });
    const call = toolReply({ id: "a", name: "leak", input: { text: `${filler}${PASTED}${filler}` } });
    using server = anthropicServer(call, textReply(`${"z ".repeat(90)}${PRINTED} ${filler}`));
    const { exitCode, stderr } = await run(directory, server, ...prompt());
    expect([exitCode, stderr]).toStrictEqual([0, expect.stringContaining("x x [redacted")]);
    const lines = Array.from({ length: 30 }, (_, at) => [
      { prompt: at + 1, step: "begin", result: beginOf(`${"x".repeat(80 + at)} ${PASTED} ${filler}`) },
      { prompt: at + 1, step: "end", result: { outcome: "done", at: 0 } },
    ]);
    const journal = lines.flat().map((line) => `${JSON.stringify({ v: 1, ...line })}\n`);
    writeText(join(directory.path, "sessions/older/journal.jsonl"), journal.join(""));
    const traces = await Promise.all(
      [[], ["--json"], ["--html", "-"]].map((more) =>
        run(directory, server, "trace", ".", "--session", "older", ...more),
      ),
    );
    const all = [stderr, ...written(directory).entries()].flat();
    const shown = [...all.filter((text) => !text.includes('"v":1')), ...traces.map(({ stdout }) => stdout)].join("\n");
    for (const key of [PASTED, PRINTED, VARIABLE]) expect(shown).not.toContain(key.slice(0, 6));
  });

  test("of an older journal that holds them, neither trace, list, session nor export shows them", async () => {
    using directory = agentDirectory({ "agent.mdx": AGENT });
    using server = anthropicServer();
    const lines = [
      { prompt: 1, step: "begin", result: beginOf(PROMPT) },
      { prompt: 1, step: "model:1", result: assistantMessage([{ type: "text", text: `${PRINTED} ${VARIABLE}` }]) },
      { prompt: 1, step: "end", result: { outcome: "done", at: 0 } },
    ];
    const journal = join(directory.path, "sessions/main/journal.jsonl");
    writeText(journal, lines.map((line) => `${JSON.stringify({ v: 1, ...line })}\n`).join(""));
    for (const command of [
      ["trace", "."],
      ["trace", ".", "--json"],
      ["trace", ".", "--html", "-"],
      ...["md", "json", "html"].map((format) => ["sessions", ".", "export", "main", "--format", format]),
      ["sessions", "."],
      ["sessions", ".", "--json"],
      ["sessions", ".", "show", "main"],
    ]) {
      const { exitCode, stdout, stderr } = await run(directory, server, ...command);
      expect([command, exitCode]).toStrictEqual([command, 0]);
      expect(stdout).toContain("[redacted GitHub key]");
      expectNoKey(stdout + stderr);
    }
  });
});

test("signed thinking with a key in it goes back without its signature being missed: the provider accepts the session", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT });
  using server = anthropicServer(
    { events: answerEvents([{ thinking: [`They gave me ${PASTED}.`], signature: "c2lnbmVk" }, { text: ["Hm."] }]) },
    textReply("Again."),
  );
  await run(directory, server, ...prompt());
  const journal = written(directory).get("journal.jsonl");
  expect(journal).toContain("They gave me [redacted GitHub key].");
  expect(journal).not.toContain("c2lnbmVk");
  const again = await run(directory, server, ...prompt());
  expect([again.exitCode, again.stdout, server.requests[1]?.refusal]).toStrictEqual([0, "Again.\n", undefined]);
});

test("keys of a configuration file count, too: what fails because of them does not quote them", async () => {
  using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT });
  const secret = "configured-Key-4711";
  using server = anthropicServer(
    failureReply(400, "invalid_request_error", { message: `bad: ${secret}` }),
    textReply(`It is ${secret}.`),
  );
  writeText(
    join(directory.path, "my.yaml"),
    `vendor: anthropic\nmodel: claude-test\napi_key: ${secret}\nbase_url: ${server.environment.ANTHROPIC_BASE_URL}\n`,
  );
  const options = { home: join(directory.path, "home"), cwd: directory.path };
  const args = ["agent", ".", "--trust", "--config", "my.yaml", "--prompt", `Say ${secret}`, "--debug"];
  const first = await runCommandLine(args, options);
  const second = await runCommandLine(args, options);
  expect([first.exitCode, second.exitCode, second.stdout]).toStrictEqual([1, 0, `It is ${secret}.\n`]);
  const told = [...written(directory).values(), first.stderr, second.stderr].join("\n");
  expect(told).not.toContain(secret);
  expect(told).toContain("[redacted api_key]");
});

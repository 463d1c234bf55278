import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock } from "@mdx-ai/base";
import { openModel } from "@mdx-ai/models";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { call } from "../../support/replies.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { converse, type Line, records, told } from "../../support/session-log-bench.ts";

const KEYS = [
  "ts",
  "level",
  "event",
  "session_id",
  "turn",
  "actor",
  "model",
  "input",
  "output",
  "tool_name",
  "prompt_tokens",
  "completion_tokens",
  "thinking_tokens",
  "latency_ms",
  "error",
];

/** A clock that is a second later whenever it is looked at. */
function steppingClock(): Clock {
  let now = Date.parse("2026-11-21T09:00:00.000Z");
  return { ...systemClock, after: (...timer) => systemClock.after(...timer), now: () => (now += 1000) };
}

test.skipIf(requireProgram("bwrap"))(
  "a session's log has its start, messages and tools: 15 keys a line, in the order of the seed",
  async () => {
    using directory = agentDirectory();
    await converse(directory.path, {
      clock: steppingClock(),
      replies: [
        {
          calls: [call("bash", { command: "echo out" })],
          usage: { input: 100, output: 20, cacheRead: 7, cacheWrite: 3, thinking: 5 },
        },
        { text: "Done", usage: { input: 200, output: 2 } },
      ],
      prompts: ["Do it\nnow"],
    });
    const lines = records(directory.path);
    for (const line of lines) expect(Object.keys(line)).toStrictEqual(KEYS);
    expect(lines.map(told)).toStrictEqual([
      { level: "INFO", event: "session_start", turn: 0, actor: "system" },
      { level: "INFO", event: "user_message", turn: 1, actor: "user", input: "Do it\nnow" },
      {
        level: "INFO",
        event: "assistant_message",
        turn: 1,
        actor: "assistant",
        output: "",
        prompt_tokens: 110,
        completion_tokens: 20,
        thinking_tokens: 5,
      },
      {
        level: "INFO",
        event: "tool_call",
        turn: 1,
        actor: "assistant",
        input: { command: "echo out" },
        tool_name: "bash",
      },
      { level: "INFO", event: "tool_result", turn: 1, actor: "tool", output: "out\n", tool_name: "bash" },
      {
        level: "INFO",
        event: "assistant_message",
        turn: 1,
        actor: "assistant",
        output: "Done",
        prompt_tokens: 200,
        completion_tokens: 2,
        thinking_tokens: 0,
      },
    ]);
    const times = lines.map(({ ts }) => String(ts));
    expect(times[0]).toMatch(/^2026-11-21T09:\d\d:\d\d\.000Z$/);
    expect(times).toStrictEqual(times.toSorted());
    expect(lines.map(({ session_id }) => session_id)).toStrictEqual(lines.map(() => "main"));
    const named = lines.filter(({ model }) => model !== null).map(({ event }) => event);
    expect(named).toStrictEqual(["session_start", "assistant_message", "assistant_message"]);
    const timed = lines.filter(({ latency_ms }) => Number(latency_ms) >= 1000).map(({ event }) => event);
    expect(timed).toStrictEqual(["tool_result"]);
  },
);

test("an answer's latency is the model's, and turns count the user's inputs over restarts", async () => {
  using directory = agentDirectory();
  await converse(directory.path, { replies: [{ text: "one", delay: 30 }, { text: "two" }], prompts: ["1", "2"] });
  await converse(directory.path, { replies: [{ text: "three" }], prompts: ["3"] });
  const lines = records(directory.path);
  expect(lines.map(({ event, turn }) => `${turn} ${event}`)).toStrictEqual([
    "0 session_start",
    "1 user_message",
    "1 assistant_message",
    "2 user_message",
    "2 assistant_message",
    "0 session_start",
    "3 user_message",
    "3 assistant_message",
  ]);
  expect(lines[2]?.["latency_ms"]).toBeNumber();
});

test("a tool of an MCP server is logged as such, and one that fails with its error", async () => {
  using directory = agentDirectory({
    "agent.mdx":
      MINIMAL_AGENT + toolText("mcp.web.open", "return 'opened';") + toolText("bad", "throw new Error('no luck');"),
  });
  const agent = await openScriptAgent(directory.path, []);
  const [open = "", bad = ""] = agent.toolSchemas.slice(-2).map(({ name }) => name);
  await agent.close();
  await converse(directory.path, {
    replies: [{ calls: [call(open, {}, "a")] }, { calls: [call(bad, {}, "b")] }, { text: "ok" }],
    prompts: ["go"],
  });
  const tools = records(directory.path).filter(({ tool_name }) => tool_name !== null);
  expect(tools.map(({ event, tool_name, level }) => [event, tool_name, level])).toStrictEqual([
    ["mcp_call", "mcp.web.open", "INFO"],
    ["mcp_result", "mcp.web.open", "INFO"],
    ["tool_call", "bad", "INFO"],
    ["tool_result", "bad", "WARNING"],
  ]);
  expect(tools[1]).toMatchObject({ output: "opened", error: null });
  expect(String(tools[3]?.["error"])).toContain("no luck");
});

test("a limit that ends a prompt is logged", async () => {
  using directory = agentDirectory();
  await converse(directory.path, {
    replies: [{ calls: [call("bash", { command: "true" })] }],
    prompts: ["go"],
    maxTurns: 1,
  });
  expect(records(directory.path).map(told).at(-1)).toStrictEqual({
    level: "WARNING",
    event: "error",
    turn: 1,
    actor: "system",
    error: "limit reached: 1 turns",
  });
});

test("a prompt that cannot run is logged with the reason", async () => {
  using directory = agentDirectory({ "agent.mdx": `---\nlimits:\n  usd: 1\n---\n${MINIMAL_AGENT}` });
  const model = await openModel("openai/nobody-knows-it", { environment: { OPENAI_API_KEY: "key" } });
  await expect(converse(directory.path, { model, replies: [], prompts: ["go"] })).rejects.toThrow("price");
  const last = records(directory.path).at(-1);
  expect(last).toMatchObject({ event: "error", level: "ERROR", error: expect.stringContaining("price") });
});

test("/clear begins a new log, keeps the old one, and touches no other session's", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }, { text: "three" }]);
  await Array.fromAsync(agent.session().prompt("first"));
  await Array.fromAsync(agent.session("work").prompt("elsewhere"));
  await agent.session().clear();
  await Array.fromAsync(agent.session().prompt("second"));
  await agent.close();
  const names = readdirSync(join(directory.path, "logs")).filter((name) => name.endsWith(".jsonl"));
  const old = names.find((name) => name.includes("@")) ?? "";
  expect(old).toMatch(/^main@\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.jsonl$/);
  expect(names.toSorted()).toStrictEqual(["main.jsonl", old, "work.jsonl"]);
  const short = ({ turn, event, actor, input }: Line): string => `${turn} ${event} ${actor} ${input ?? ""}`.trimEnd();
  expect(records(directory.path, old).map(short)).toStrictEqual([
    "0 session_start system",
    "1 user_message user first",
    "1 assistant_message assistant",
    "1 session_clear user",
  ]);
  expect(records(directory.path).map(short)).toStrictEqual([
    "0 session_start system",
    "2 user_message user second",
    "2 assistant_message assistant",
  ]);
  expect(records(directory.path, "work.jsonl")).toHaveLength(3);
});

test("an ephemeral agent writes none", async () => {
  using directory = agentDirectory();
  await converse(directory.path, { replies: [{ text: "one" }], prompts: ["1"], ephemeral: true });
  expect(existsSync(join(directory.path, "logs"))).toBe(false);
});

test("a command that was answered without the model is the result of a tool, of the turn before it", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "yes" }]);
  const command = { name: "/info", input: "/info  now", output: "Model\nmany lines" };
  agent.session().note(command);
  await Array.fromAsync(agent.session().prompt("go"));
  agent.session().note(command);
  agent.session("other").note(command);
  await agent.close();
  expect(() => agent.session().note(command)).toThrow("closed");
  const record = { level: "INFO", event: "tool_result", actor: "tool", tool_name: "/info" };
  const answered = { ...record, input: command.input, output: command.output };
  expect(records(directory.path).map(told)).toMatchObject([
    { event: "session_start" },
    { ...answered, turn: 0 },
    { event: "user_message" },
    { event: "assistant_message" },
    { ...answered, turn: 1 },
  ]);
  expect(records(directory.path, "other.jsonl").map(told)).toMatchObject([{ event: "session_start" }, answered]);
});

import { describe, expect, test } from "bun:test";
import type { AssistantMessage } from "@mdx-ai/models";
import type { JournalLine, TraceStep } from "@mdx-ai/sessions";
import { assistantMessage, toolResult, userMessage } from "../../../../test/support/model-request.ts";
import { beginLine, beginOf } from "../../../../test/support/prompt-steps.ts";
import { sessionTrace } from "./session-trace.ts";

const line = (prompt: number, step: string, result: unknown): JournalLine => ({ v: 1, prompt, step, result });
const started = (prompt: number, step: string): JournalLine => ({ v: 1, prompt, step, started: true });
const traceOf = (lines: readonly JournalLine[]) => sessionTrace("main", { lines, damage: [] });
const stepsOf = (lines: readonly JournalLine[]): readonly TraceStep[] => {
  const prompt = traceOf(lines).prompts[0];
  return prompt?.turns.flatMap(({ steps }) => steps) ?? [];
};

const call = (id: string) => ({ type: "toolCall", id, name: "look", arguments: { at: id } }) as const;
const text = (words: string, rest: Partial<AssistantMessage> = {}) =>
  assistantMessage([{ type: "text", text: words }], rest);
const failed = (rest: Partial<AssistantMessage> = {}) =>
  text("ha", { stopReason: "error", errorMessage: "overloaded", failure: { isTransient: true, status: 529 }, ...rest });
const usage = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 12 };
const calling = (...ids: readonly string[]) =>
  assistantMessage(ids.map(call), { stopReason: "toolUse", timestamp: 1000, latency: 500 });

const compaction = {
  summary: "s",
  kept: [],
  message: userMessage("s"),
  replaced: 1,
  made: 1,
  before: 900,
  after: 100,
  measured: "estimate",
  answer: text("s", { usage, cost: 0.5, latency: 7 }),
  timestamp: 0,
};

describe("a prompt", () => {
  test("has its input, its times, its end and the cost of its answers, failed ones included", () => {
    const trace = traceOf([
      line(1, "begin", beginOf({ ...userMessage("go"), timestamp: 1000 })),
      line(1, "model:1", failed({ usage, cost: 0.25, latency: 3 })),
      line(1, "retry:1#2", { delay: 20, until: 20 }),
      line(1, "model:1#2", text("done", { usage, cost: 0.5, latency: 4 })),
      line(1, "end", { outcome: "done", at: 4000 }),
    ]);
    const cost = { usage: { ...usage, input: 20, output: 4, total: 24 }, usd: 0.75, unpriced: 0, calls: 2, latency: 7 };
    expect(trace).toMatchObject({ version: 1, session: "main", cost, otherSteps: [] });
    expect(trace.prompts).toStrictEqual([
      {
        number: 1,
        id: "id of go",
        input: "go",
        models: ["script/test"],
        startedAt: 1000,
        endedAt: 4000,
        duration: 3000,
        outcome: "done",
        cost,
        turns: [{ number: 1, steps: expect.any(Array) }],
        steering: [],
        resumptions: [],
        otherSteps: [],
      },
    ]);
  });

  test("without an end is unfinished, and has no duration", () => {
    const [prompt] = traceOf([line(1, "begin", beginOf("go")), started(1, "tool:1:a")]).prompts;
    expect(prompt).toMatchObject({ outcome: "unfinished", startedAt: 0 });
    expect(prompt).not.toHaveProperty("duration");
    expect(prompt).not.toHaveProperty("endedAt");
  });

  test("that a limit ended names the limit", () => {
    const limit = { limit: "turns", value: 2 };
    const lines = [line(1, "begin", beginOf("go")), line(1, "end", { outcome: "limit", limit, at: 5 })];
    expect(traceOf(lines).prompts[0]).toMatchObject({ outcome: "limit", limit, turns: [] });
  });

  test("has its turns in their order, the tenth after the ninth", () => {
    const turns = [1, 2, 9, 10].map((turn) => line(1, `model:${turn}`, calling()));
    expect(traceOf(turns).prompts[0]?.turns.map(({ number }) => number)).toStrictEqual([1, 2, 9, 10]);
  });

  test("names what it does not know and what cannot be read", () => {
    const lines = [line(1, "user", 7), line(1, "approve:1", "x"), line(1, "model:1", "y"), line(1, "tool:1:a", null)];
    expect(traceOf(lines).prompts[0]).toMatchObject({
      outcome: "unfinished",
      otherSteps: ["user", "approve:1", "model:1", "tool:1:a"],
    });
  });
});

describe("a prompt that was not left alone", () => {
  const asked = (turn: number, at: number) => line(1, `model:${turn}`, text("so", { timestamp: at, latency: 1 }));
  const said = (number: number, words: string) =>
    line(1, `steer:${number}`, { ...userMessage(words), timestamp: number });

  test("shows what the user said meanwhile, with the turn in which the model received it", () => {
    const [prompt] = traceOf([
      line(1, "begin", beginOf("go")),
      asked(1, 10),
      said(1, "not so fast"),
      said(2, "and in red"),
      line(1, "deliver:2", { upTo: 2 }),
      asked(2, 20),
      said(3, "too late"),
      line(1, "end", { outcome: "done", at: 30 }),
    ]).prompts;
    expect(prompt?.steering).toStrictEqual([
      { step: "steer:1", text: "not so fast", at: 1, turn: 2 },
      { step: "steer:2", text: "and in red", at: 2, turn: 2 },
      { step: "steer:3", text: "too late", at: 3 },
    ]);
    expect(prompt?.otherSteps).toStrictEqual([]);
  });

  test("shows where another process resumed, in the turn that was under way", () => {
    const goneOn = (number: number, at: number) => line(1, `resume:${number}`, { at });
    const [prompt] = traceOf([
      line(1, "begin", beginOf("go")),
      goneOn(1, 5),
      asked(1, 10),
      asked(2, 20),
      goneOn(2, 900),
      asked(3, 910),
      goneOn(3, 2000),
    ]).prompts;
    expect(prompt?.resumptions).toStrictEqual([
      { step: "resume:1", at: 5, turn: 1 },
      { step: "resume:2", at: 900, turn: 3 },
      { step: "resume:3", at: 2000, turn: 3 },
    ]);
    expect(traceOf([line(1, "begin", beginOf("go")), goneOn(1, 5)]).prompts[0]?.resumptions).toStrictEqual([
      { step: "resume:1", at: 5 },
    ]);
  });

  test("gives no time to a tool whose process ended before it, also where it was run again", () => {
    const steps = stepsOf([
      line(1, "model:1", calling("a", "b")),
      line(1, "tool:1:a", toolResult("a", "yes", { timestamp: 1600 })),
      started(1, "tool:1:b"),
      line(1, "resume:1", { at: 9000 }),
      line(1, "tool:1:b", toolResult("b", "yes", { timestamp: 9100 })),
    ]);
    const tools = steps.flatMap((step) => (step.type === "tool" ? [step.duration] : []));
    expect(tools).toStrictEqual([100, undefined]);
  });

  test("names what of this cannot be read", () => {
    const odd = [line(1, "steer:1", 5), line(1, "deliver:x", { upTo: 1 }), line(1, "resume:1", { at: "noon" })];
    expect(traceOf(odd).prompts[0]).toMatchObject({
      steering: [],
      resumptions: [],
      otherSteps: ["steer:1", "deliver:x", "resume:1"],
    });
  });
});

test("a prompt of today's version has its id, models and hooks, the origins of tools, and what the policy decided", () => {
  const plan = {
    models: [
      { provider: "a", name: "one" },
      { provider: "b", name: "two" },
    ],
    tools: [{ wire: "look", name: "look", origin: "module:weather" }],
  } as const;
  const [prompt] = traceOf([
    beginLine(1, "go", plan),
    line(1, "hook:beforePrompt", {}),
    line(1, "size:1", { tokens: 5 }),
    line(1, "model:1", calling("a", "b", "c", "d")),
    line(1, "policy:1", { calls: ["run", "ask", { deny: "never" }, { refuse: "not run: no such tool" }] }),
    line(1, "permission:tool:1:b", { action: "allow" }),
    line(1, "hook:afterTool:1", {}),
    line(1, "end", { outcome: "done", at: 2 }),
  ]).prompts;
  expect(prompt).toMatchObject({
    id: "id of go",
    models: ["a/one", "b/two"],
    hooks: ["hook:beforePrompt", "hook:afterTool:1"],
    otherSteps: [],
  });
  const tools = prompt?.turns.flatMap(({ steps }) => steps.filter((step) => step.type === "tool")) ?? [];
  expect(tools.map(({ origin, decision, permission }) => [origin, decision, permission])).toStrictEqual([
    ["module:weather", "run", undefined],
    ["module:weather", "ask", "given"],
    ["module:weather", { deny: "never" }, "refused"],
    ["module:weather", { refuse: "not run: no such tool" }, undefined],
  ]);
});

describe("a turn", () => {
  test("has its failed attempts and the waits between them", () => {
    const steps = stepsOf([
      line(1, "model:3", failed()),
      line(1, "retry:3#2", { delay: 250, until: 250 }),
      line(1, "model:3#2", text("done")),
    ]);
    expect(steps).toMatchObject([
      { type: "model", step: "model:3", isFailed: true, error: "overloaded", status: 529 },
      { type: "retry", step: "retry:3#2", delay: 250 },
      { type: "model", step: "model:3#2", isFailed: false, text: "done" },
    ]);
  });

  test("shows a fallback where no wait came before another attempt after a failure", () => {
    const steps = stepsOf([
      line(1, "model:1", failed()),
      line(1, "model:1#2", text("done", { provider: "openai", model: "other" })),
    ]);
    expect(steps.map((step) => step.type)).toStrictEqual(["model", "fallback", "model"]);
    expect(steps[1]).toStrictEqual({ type: "fallback", from: "anthropic/claude-test", to: "openai/other" });
  });

  test("shows no fallback where the history was shortened for the same model", () => {
    const steps = stepsOf([
      line(1, "model:1", text("", { stopReason: "contextExceeded" })),
      line(1, "compact:1#2", { reason: "overloaded", answer: failed() }),
      line(1, "retry:compact:1#2/2", { delay: 9, until: 9 }),
      line(1, "compact:1#2/2", compaction),
      line(1, "model:1#2", text("done")),
    ]);
    expect(steps).toMatchObject([
      { type: "model", isFailed: true, stopReason: "contextExceeded" },
      { type: "compaction", step: "compact:1#2", error: "overloaded" },
      { type: "retry", step: "retry:compact:1#2/2", delay: 9 },
      { type: "compaction", step: "compact:1#2/2", gain: { before: 900, after: 100 }, call: { usd: 0.5, latency: 7 } },
      { type: "model", isFailed: false },
    ]);
  });

  test("has its tools in the order of the calls, with the time from the end of the answer", () => {
    const steps = stepsOf([
      line(1, "model:1", calling("a", "b")),
      started(1, "tool:1:a"),
      line(1, "tool:1:b", toolResult("b", "no", { timestamp: 1600, isError: true })),
      line(1, "tool:1:a", toolResult("a", "yes", { timestamp: 1900 })),
    ]);
    expect(steps.slice(1)).toStrictEqual([
      {
        type: "tool",
        step: "tool:1:a",
        name: "look",
        arguments: { at: "a" },
        state: "done",
        result: "yes",
        endedAt: 1900,
        duration: 400,
      },
      {
        type: "tool",
        step: "tool:1:b",
        name: "look",
        arguments: { at: "b" },
        state: "error",
        result: "no",
        endedAt: 1600,
        duration: 100,
      },
    ]);
  });

  test("gives no time to a tool whose answer has no latency, nor one that runs backwards", () => {
    const { latency: _, ...unmeasured } = calling("a");
    const result = line(1, "tool:1:a", toolResult("a", "yes", { timestamp: 1900 }));
    expect(stepsOf([line(1, "model:1", unmeasured), result])[1]).not.toHaveProperty("duration");
    const early = line(1, "tool:1:a", toolResult("a", "yes", { timestamp: 1000 }));
    expect(stepsOf([line(1, "model:1", calling("a")), early])[1]).not.toHaveProperty("duration");
    const rounded = line(1, "tool:1:a", toolResult("a", "yes", { timestamp: 1499 }));
    expect(stepsOf([line(1, "model:1", calling("a")), rounded])[1]).toMatchObject({ duration: 0 });
  });

  test("knows tools that were interrupted, those that wait, and gives no time across a restart", () => {
    const steps = stepsOf([
      line(1, "model:1", calling("a", "b", "c", "d", "e")),
      started(1, "tool:1:a"),
      started(1, "tool:1:b"),
      line(1, "tool:1:b", toolResult("b", "yes", { timestamp: 1700 })),
      line(1, "tool:1:a", toolResult("a", "interrupted, outcome unknown", { timestamp: 9000, isError: true })),
      line(1, "tool:1:c", toolResult("c", "yes", { timestamp: 9100 })),
      started(1, "tool:1:d"),
    ]);
    const tools = steps.flatMap((step) => (step.type === "tool" ? [[step.state, step.duration]] : []));
    expect(tools).toStrictEqual([
      ["interrupted", undefined],
      ["done", 200],
      ["done", undefined],
      ["started", undefined],
      ["waiting", undefined],
    ]);
  });

  test("has no tools where the answer broke off, since none of its calls was run", () => {
    const broken = { ...calling("a"), stopReason: "aborted" };
    expect(stepsOf([line(1, "model:1", broken)]).map(({ type }) => type)).toStrictEqual(["model"]);
  });
});

describe("a session", () => {
  test("has the summaries between its prompts, with their position and their cost, and its other steps", () => {
    const trace = traceOf([
      line(0, "identity", "# Agent"),
      line(1, "begin", beginOf("go")),
      line(1, "end", { outcome: "done", at: 1 }),
      line(0, "compact:messages:2", compaction),
      line(2, "begin", beginOf("on")),
    ]);
    expect(trace.compactions).toMatchObject([{ step: "compact:messages:2", afterPrompt: 1, gain: { after: 100 } }]);
    expect(trace.otherSteps).toStrictEqual(["identity"]);
    expect(trace.cost.usd).toBe(0.5);
    expect(trace.prompts.map(({ number }) => number)).toStrictEqual([1, 2]);
  });

  test("takes no figure for one that is none", () => {
    const odd = { ...text("done", { usage }), cost: "much", latency: "long", failure: 5 };
    const [step] = stepsOf([line(1, "model:1", odd)]);
    expect(step).not.toHaveProperty("usd");
    expect(step).not.toHaveProperty("latency");
    expect(traceOf([line(1, "model:1", odd)]).cost).toMatchObject({ usd: 0, unpriced: 1, latency: 0 });
  });

  test("shows where the conversation went back, and what became of queued inputs", () => {
    const queue = (number: number, words: string) => line(0, `queue:${number}`, { text: words, id: words, at: 5 });
    const trace = traceOf([
      line(1, "begin", beginOf("go")),
      queue(1, "then this"),
      queue(2, "then that"),
      queue(3, "then all"),
      line(0, "unqueue:2", { at: 6 }),
      line(1, "end", { outcome: "done", at: 1 }),
      line(2, "begin", { ...beginOf("then this"), queued: 1 }),
      line(2, "end", { outcome: "done", at: 2 }),
      line(0, "head:1", { prompt: 1, at: 77 }),
      line(0, "head:2", { prompt: "none" }),
    ]);
    expect(trace.queued).toStrictEqual([
      { step: "queue:1", text: "then this", at: 5, afterPrompt: 1, state: "taken", prompt: 2 },
      { step: "queue:2", text: "then that", at: 5, afterPrompt: 1, state: "withdrawn" },
      { step: "queue:3", text: "then all", at: 5, afterPrompt: 1, state: "waiting" },
    ]);
    expect(trace.prompts[1]?.input).toBe("then this");
    expect(trace.rewinds).toStrictEqual([{ step: "head:1", prompt: 1, at: 77, afterPrompt: 2 }]);
    expect(trace.otherSteps).toStrictEqual(["head:2"]);
  });

  test("shows which parts of the agent changed, came or went", () => {
    const trace = traceOf([
      line(0, "agent:1", { name: "a", prose: "p", 'section "Purpose"': "b", "skill x": "c" }),
      line(1, "begin", beginOf("go")),
      line(0, "agent:2", { name: "a", prose: "q", 'section "Purpose"': "z", "skill y": "d" }),
      line(0, "agent:3", { name: "a", prose: "r", 'section "Purpose"': "z", "skill y": "d" }),
      line(0, "agent:4", "broken"),
    ]);
    expect(trace.agentChanges).toStrictEqual([
      { step: "agent:2", parts: ['section "Purpose"', "skill x", "skill y"], afterPrompt: 1 },
      { step: "agent:3", parts: ["prose"], afterPrompt: 1 },
    ]);
    expect(trace.otherSteps).toStrictEqual(["agent:4"]);
  });

  test("continues from one journal to the next, and names damaged lines with their journal", () => {
    const lines = [
      line(1, "begin", beginOf("one")),
      line(0, "segment", {}),
      line(1, "end", { outcome: "done", at: 9 }),
      line(2, "begin", beginOf("two")),
    ];
    const damage = [
      { file: "journal-0001.jsonl", line: 4 },
      { file: "journal.jsonl", line: 2 },
      { file: "journal.jsonl", line: 3 },
    ];
    const trace = sessionTrace("main", { lines, damage });
    expect(trace.prompts).toMatchObject([{ input: "one", outcome: "done" }, { input: "two" }]);
    expect(trace.unreadableLines).toStrictEqual([2, 3]);
    expect(trace.damage).toStrictEqual(damage);
    expect(trace.otherSteps).toStrictEqual(["segment"]);
  });

  test("without a line has no prompts", () => {
    expect(traceOf([])).toMatchObject({ prompts: [], compactions: [], cost: { calls: 0 } });
  });
});

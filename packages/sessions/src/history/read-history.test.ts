import { describe, expect, test } from "bun:test";
import { noCost } from "@mdx-ai/loop";
import type { JournalLine } from "@mdx-ai/sessions";
import { readPrompt } from "@mdx-ai/sessions";
import { assistantMessage, toolResult, userMessage } from "../../../../test/support/model-request.ts";
import { beginLine, beginOf } from "../../../../test/support/prompt-steps.ts";
import { readHistory } from "./read-history.ts";

const line = (prompt: number, step: string, result: unknown): JournalLine => ({ v: 1, prompt, step, result });
const started = (prompt: number, step: string): JournalLine => ({ v: 1, prompt, step, started: true });

const call = (id: string) => ({ type: "toolCall", id, name: "look", arguments: {} }) as const;
const calling = (...ids: readonly string[]) => assistantMessage(ids.map(call), { stopReason: "toolUse" });
const said = (text: string) => assistantMessage([{ type: "text", text }]);
const end = (prompt: number): JournalLine => line(prompt, "end", { outcome: "done", at: 9 });

describe("a prompt", () => {
  test("has its beginning, decisions, calls and end", () => {
    const {
      begin,
      end: ended,
      unknown,
      turns,
    } = readPrompt([
      line(1, "begin", { ...beginOf("go"), queued: 4 }),
      line(1, "model:1", calling("a", "b", "c")),
      line(1, "policy:1", { calls: ["run", "ask", { deny: "no" }] }),
      line(1, "permission:tool:1:b", { action: "allow", id: "x" }),
      started(1, "tool:1:a"),
      ...["a", "b", "c"].map((id) => line(1, `tool:1:${id}`, toolResult(id, id))),
      end(1),
    ]);
    const { plan } = beginOf("go");
    expect(begin).toStrictEqual({ message: userMessage("go"), queued: 4, id: "id of go", plan });
    expect(ended).toStrictEqual({ outcome: "done", at: 9 });
    expect(unknown).toStrictEqual([]);
    const calls = turns[0]?.calls ?? [];
    expect(calls.map(({ decision }) => decision)).toStrictEqual(["run", "ask", { deny: "no" }]);
    expect(calls.map(({ result }) => result?.toolCallId)).toStrictEqual(["a", "b", "c"]);
    expect(calls.map(({ isStarted }) => isStarted)).toStrictEqual([true, false, false]);
  });

  test("has its attempts, waits and summaries in their order, and what modules did", () => {
    const { turns, hooks, added, unknown } = readPrompt([
      beginLine(1, "go"),
      line(1, "hook:beforePrompt", { message: userMessage("it rains") }),
      line(1, "size:1", { tokens: 7 }),
      line(1, "compact:1", { reason: "empty" }),
      line(1, "retry:compact:1/2", { delay: 3, until: 5 }),
      line(1, "compact:1/2", { reason: "empty again" }),
      line(1, "model:1", assistantMessage([], { stopReason: "error" })),
      line(1, "retry:1#2", { delay: 4, until: 9 }),
      line(1, "model:1#2", calling("a")),
      line(1, "tool:1:a", toolResult("a", "A")),
      line(1, "hook:afterTool:1", {}),
      line(1, "model:2", said("done")),
      line(1, "hook:afterPrompt", {}),
      end(1),
    ]);
    expect(turns.map(({ number, steps }) => [number, ...steps.map(({ step }) => step)])).toStrictEqual([
      [1, "compact:1", "retry:compact:1/2", "compact:1/2", "model:1", "retry:1#2", "model:1#2"],
      [2, "model:2"],
    ]);
    expect(turns[0]?.answer?.attempt).toBe(2);
    expect(hooks).toStrictEqual(["hook:beforePrompt", "hook:afterTool:1", "hook:afterPrompt"]);
    expect(added).toStrictEqual(userMessage("it rains"));
    expect(unknown).toStrictEqual([]);
  });

  test("gives what the user said to the turn that received it, and knows what no turn did", () => {
    const { steering, turns } = readPrompt([
      beginLine(1, "go"),
      line(1, "model:1", calling("a")),
      line(1, "steer:1", userMessage("one")),
      line(1, "steer:2", userMessage("two")),
      line(1, "deliver:2", { upTo: 2 }),
      line(1, "steer:3", userMessage("three")),
    ]);
    expect(steering.map(({ turn }) => turn)).toStrictEqual([2, 2, undefined]);
    expect(turns.map(({ delivered }) => delivered)).toStrictEqual([[], [userMessage("one"), userMessage("two")]]);
  });

  test("counts the processes that resumed it, and how many of them did not reach the next step", () => {
    const resumed = (number: number) => line(1, `resume:${number}`, { at: number });
    const lines = [beginLine(1, "go"), resumed(1), line(1, "model:1", calling("a")), resumed(2), resumed(3)];
    expect(readPrompt(lines)).toMatchObject({
      failedResumes: 2,
      resumptions: [
        { at: 1, turn: 1 },
        { at: 2, turn: 1 },
        { at: 3, turn: 1 },
      ],
    });
  });

  test("names the steps that are unknown, belong to no call, or cannot be read, and says that it has begun and ended", () => {
    const prompt = readPrompt([
      line(1, "begin", { input: "go" }),
      line(1, "odd", 1),
      line(1, "policy:1", { calls: ["maybe"] }),
      line(1, "model:1", calling("a")),
      started(1, "tool:1:z"),
      line(1, "permission:tool:1:y", { action: "allow" }),
      line(1, "tool:1:a", "text"),
      line(1, "end", "done"),
    ]);
    expect(prompt).toMatchObject({ begin: undefined, hasBegun: true, end: undefined, hasEnded: true });
    expect(prompt.unknown).toStrictEqual([
      ...["begin", "odd", "policy:1", "tool:1:a", "end"],
      ...["tool:1:z", "permission:tool:1:y"],
    ]);
  });
});

describe("a session", () => {
  const talk = (prompt: number): readonly JournalLine[] => [
    beginLine(prompt, `${prompt}`),
    line(prompt, "model:1", said(`${prompt}`)),
    end(prompt),
  ];

  test("has its queue, with the prompts that inputs became, and the ids of prompts in their order", () => {
    const queued = { ...beginOf("later"), queued: 1 };
    const { own, promptIds } = readHistory([
      line(0, "queue:1", { text: "later", id: "id of later", at: 5 }),
      line(0, "queue:2", { text: "never", id: "n", at: 5 }),
      ...talk(1),
      line(0, "unqueue:2", { at: 6 }),
      line(0, "queue:3", { text: "still", id: "s", at: 7 }),
      line(2, "begin", queued),
      line(2, "end", { outcome: "done", at: 1 }),
    ]);
    expect(own.queue).toMatchObject([
      { number: 1, id: "id of later", at: 5, prompt: 2, isWithdrawn: false, afterPrompt: 0 },
      { number: 2, id: "n", at: 5, prompt: undefined, isWithdrawn: true, afterPrompt: 0 },
      { number: 3, id: "s", prompt: undefined, isWithdrawn: false, afterPrompt: 1 },
    ]);
    expect([...promptIds]).toStrictEqual(["id of later", "n", "id of 1", "s"]);
    expect(own.highest).toStrictEqual({ queue: 3, head: 0, undo: 0, agent: 0 });
  });

  test("has branches: each prompt knows what it follows, and what the agent was", () => {
    const { path, prompts, own, lastPrompt } = readHistory([
      line(0, "agent:1", { name: "a" }),
      ...talk(1),
      ...talk(2),
      line(0, "head:1", { prompt: 1, at: 4 }),
      line(0, "agent:2", { name: "b" }),
      ...talk(3),
    ]);
    expect(prompts.map(({ number, parent, agent }) => [number, parent, agent?.["name"]])).toStrictEqual([
      [1, 0, "a"],
      [2, 1, "a"],
      [3, 1, "b"],
    ]);
    expect(path.map(({ number }) => number)).toStrictEqual([0, 1, 3]);
    expect(own.rewinds).toMatchObject([{ prompt: 1, at: 4, afterPrompt: 2 }]);
    expect(lastPrompt).toBe(3);
  });

  test("continues from the head of its first journal, and learns from a later one what was lost", () => {
    const head = { lastPrompt: 4, head: 4, messages: 0, tail: [], history: 0, promptIds: [], cost: noCost };
    const own = [line(0, "identity:x", "# Agent: X"), line(0, "agent:3", { name: "c" })];
    const queued = line(0, "queue:7", { text: "later", id: "q", at: 5 });
    const {
      before,
      path,
      own: steps,
      promptIds,
      lastPrompt,
    } = readHistory([
      line(0, "segment", { ...head, own: [queued], promptIds: ["old"] }),
      ...talk(5),
      line(0, "segment", { ...head, lastPrompt: 5, head: 5, own: [...own, queued] }),
      ...talk(6),
    ]);
    expect(before.lastPrompt).toBe(4);
    expect(path.map(({ number }) => number)).toStrictEqual([4, 5, 6]);
    expect(path.map(({ agent }) => agent)).toStrictEqual([undefined, undefined, { name: "c" }]);
    expect(steps).toMatchObject({ identity: "# Agent: X", highest: { queue: 7, agent: 3 } });
    expect(steps.queue).toHaveLength(1);
    expect([...promptIds]).toStrictEqual(["old", "q", "id of 5", "id of 6"]);
    expect(lastPrompt).toBe(6);
  });

  test("that was edited so that a prompt follows a later one is cut off there, and read to its end", () => {
    const { path, isCutOff } = readHistory([...talk(1), line(0, "head:1", { prompt: 3 }), ...talk(2), ...talk(3)]);
    expect(path.map(({ number }) => number)).toStrictEqual([2, 3]);
    expect(isCutOff).toBe(true);
  });
});

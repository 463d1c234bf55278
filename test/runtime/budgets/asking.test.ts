import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentEvent, type AgentTool, addAnswer, type BudgetSubject, noCost } from "@mdx-ai/loop";
import type { AgentOptions } from "@mdx-ai/runtime";
import { deleteSession } from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventOrderProblem } from "../../support/event-order.ts";
import { HandClock } from "../../support/hand-clock.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const agentWith = (limits: string): string =>
  `---\nlimits: ${limits}\n---\n# Agent: Minimal\n\n## Purpose\n\nBe tested.\n`;

const usage = { input: 90, output: 10, cacheRead: 0, cacheWrite: 0 };
const look = (id: string): Reply => ({
  calls: [{ id, name: "read_file", arguments: { path: "agent.mdx" } }],
  usage,
});
const said: Reply = { text: "done", usage };

/** Answers in order, and what was asked: limit, spent, value, adds. */
function answering(...answers: readonly ("once" | "no")[]) {
  const asked: unknown[] = [];
  const left = [...answers];
  const onBudget = async ({ limit, spent, value, adds }: BudgetSubject) => {
    asked.push([limit, spent, value, adds]);
    return { answer: left.shift() ?? ("no" as const) };
  };
  return { asked, onBudget };
}

const outcomes = (events: readonly AgentEvent[]): unknown =>
  events.flatMap((event) => {
    if (event.type === "limit_reached") return [`${event.limit}=${event.value}`];
    return event.type === "agent_end" ? [event.outcome] : [];
  });

/** Runs prompts, each in an agent of its own, by their sessions. */
async function run(
  directory: string,
  replies: readonly Reply[],
  { sessions = ["main"], ...options }: Partial<AgentOptions> & { readonly sessions?: readonly string[] },
) {
  const ends: unknown[] = [];
  for (const session of sessions) {
    const agent = await openScriptAgent(directory, replies, options);
    const events = await Array.fromAsync(agent.session(session).prompt("go"));
    expect(eventOrderProblem(events)).toBeUndefined();
    ends.push(outcomes(events));
    await agent.close();
  }
  return ends;
}

describe("a prompt whose limit asks", () => {
  test("continues after a yes, with as much again each time, and ends after a no", async () => {
    using directory = agentDirectory({ "agent.mdx": agentWith("{ tokens: 200, on: ask }") });
    const user = answering("once", "once", "no");
    const replies = ["a", "b", "c", "d", "e", "f", "g"].map(look);
    expect(await run(directory.path, replies, { onBudget: user.onBudget })).toEqual([["tokens=600", "limit"]]);
    expect(user.asked).toEqual([
      ["tokens", 200, 200, 200],
      ["tokens", 400, 400, 200],
      ["tokens", 600, 600, 200],
    ]);
  });

  test("of turns, too", async () => {
    using directory = agentDirectory({ "agent.mdx": agentWith("{ turns: 1, on: ask }") });
    const user = answering("once");
    expect(await run(directory.path, [look("a"), said], { onBudget: user.onBudget })).toEqual([["done"]]);
    expect(user.asked).toEqual([["turns", 1, 1, 1]]);
  });

  test("ends without anybody to ask", async () => {
    using directory = agentDirectory({ "agent.mdx": agentWith("{ tokens: 100, on: ask }") });
    expect(await run(directory.path, [look("a"), said], {})).toEqual([["tokens=100", "limit"]]);
  });

  test("ends at the deadline of the question", async () => {
    using directory = agentDirectory({ "agent.mdx": agentWith("{ tokens: 100, on: ask }") });
    const clock = new HandClock("2026-11-21T12:00:00Z");
    const agent = await openScriptAgent(directory.path, [look("a"), said], { answersWithin: 60, clock });
    const events: AgentEvent[] = [];
    for await (const event of agent.session().prompt("go")) {
      events.push(event);
      if (event.type === "question_asked") clock.pass(60_000);
    }
    expect(outcomes(events)).toEqual(["tokens=100", "limit"]);
    expect(events.find(({ type }) => type === "question_answered")).toMatchObject({ answer: { by: "deadline" } });
    await agent.close();
  });

  test("is answered through the session, with yes or no and nothing else", async () => {
    using directory = agentDirectory({ "agent.mdx": agentWith("{ tokens: 100, on: ask }") });
    const agent = await openScriptAgent(directory.path, [look("a"), said], { answersWithin: 60 });
    const events: AgentEvent[] = [];
    for await (const event of agent.session().prompt("go")) {
      events.push(event);
      if (event.type !== "question_asked") continue;
      const { id } = event.question;
      expect(id).toBe("1.0.1");
      expect(agent.session().openQuestions).toMatchObject([{ kind: "budget", limit: "tokens", value: 100 }]);
      expect(agent.session().answer(id, "always")).rejects.toThrow("question 1.0.1 takes yes or no");
      await agent.session().answer(id, "yes");
    }
    expect(outcomes(events)).toEqual(["done"]);
    await agent.close();
  });

  test("is aborted, not answered, when it is cancelled meanwhile", async () => {
    using directory = agentDirectory({ "agent.mdx": agentWith("{ tokens: 100, on: ask }") });
    const stop = new AbortController();
    const agent = await openScriptAgent(directory.path, [look("a"), said], { answersWithin: 60 });
    const events: AgentEvent[] = [];
    for await (const event of agent.session().prompt("go", { signal: stop.signal })) {
      events.push(event);
      if (event.type === "question_asked") stop.abort();
    }
    expect(outcomes(events)).toEqual(["aborted"]);
    await agent.close();
  });

  test("asks nothing when it has ended anyway", async () => {
    using directory = agentDirectory({ "agent.mdx": agentWith("{ tokens: 50, on: ask }") });
    const user = answering();
    expect(await run(directory.path, [said], { onBudget: user.onBudget })).toEqual([["done"]]);
    expect(user.asked).toEqual([]);
  });

  test("resumes after the process was left while it waited, and asks again", async () => {
    using directory = agentDirectory({ "agent.mdx": agentWith("{ tokens: 100, on: ask }") });
    const first = await openScriptAgent(directory.path, [look("a"), said], { answersWithin: 60 });
    const left = Array.fromAsync(first.session().prompt("go"), (event) => {
      if (event.type === "question_asked") void first.close();
    });
    expect(left).rejects.toThrow("the agent was closed");
    await left.catch(() => {});
    const user = answering("once");
    const later = await openScriptAgent(directory.path, [said], { onBudget: user.onBudget });
    expect(outcomes(await Array.fromAsync(later.session().resume()))).toEqual(["done"]);
    expect(user.asked).toEqual([["tokens", 100, 100, 100]]);
    await later.close();
    // What was answered is not asked a second time.
    const journal = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
    expect(journal.match(/"step":"answer:budget:1"/g)).toHaveLength(1);
  });
});

describe("a yes to a limit of", () => {
  test.each([
    ["a day", "{ day: { tokens: 100, on: ask } }", ["day.tokens", 100, 100, 100], ["day.tokens", 200, 200, 100]],
    [
      "the agent",
      "{ agent: { tokens: 100, on: ask } }",
      ["agent.tokens", 100, 100, 100],
      ["agent.tokens", 200, 200, 100],
    ],
  ])("%s holds for all of its sessions and after a restart", async (_title, limits, first, second) => {
    using directory = agentDirectory({ "agent.mdx": agentWith(limits) });
    const user = answering("once", "no");
    const options = { onBudget: user.onBudget, sessions: ["one", "two", "three"] };
    // The first spends all of it, the second may spend as much again, the third may not.
    expect(await run(directory.path, [said], options)).toEqual([["done"], ["done"], [`${second[0]}=200`, "limit"]]);
    expect(user.asked).toEqual([first, second]);
  });

  test("a session holds for its later prompts, and for no other session", async () => {
    using directory = agentDirectory({ "agent.mdx": agentWith("{ session: { tokens: 100 }, on: ask }") });
    const user = answering("once", "no");
    const options = { onBudget: user.onBudget, sessions: ["one", "one", "two", "one"] };
    expect(await run(directory.path, [said], options)).toEqual([
      ["done"],
      ["done"],
      ["done"],
      ["session.tokens=200", "limit"],
    ]);
    expect(user.asked).toHaveLength(2);
  });

  test("a day is for that day, and those of the agent count over days and deleted sessions", async () => {
    const limits = "{ day: { tokens: 100, on: ask }, agent: { tokens: 250 } }";
    using directory = agentDirectory({ "agent.mdx": agentWith(limits) });
    const user = answering("once", "no");
    const on = (day: number) => ({
      clock: new HandClock(new Date(2026, 10, day, 12).toISOString()),
      onBudget: user.onBudget,
    });
    expect(await run(directory.path, [said], { ...on(21), sessions: ["one", "two"] })).toEqual([["done"], ["done"]]);
    expect(user.asked).toEqual([["day.tokens", 100, 100, 100]]);
    deleteSession(directory.path, "one", Date.now());
    deleteSession(directory.path, "two", Date.now());
    expect(await run(directory.path, [said], on(22))).toEqual([["done"]]);
    expect(await run(directory.path, [said], on(23))).toEqual([["agent.tokens=250", "limit"]]);
  });
});

test("sessions side by side see what each spends of the day while they run", async () => {
  using directory = agentDirectory({ "agent.mdx": agentWith("{ day: { tokens: 250 } }") });
  const replies = ["a", "b", "c", "d"].map(look);
  const agents = [
    await openScriptAgent(directory.path, replies),
    // Of another process, as it were.
    await openScriptAgent(directory.path, replies),
  ];
  const runs = await Promise.all(
    agents.map((agent, index) => Array.fromAsync(agent.session(`s${index}`).prompt("go"))),
  );
  expect(runs.map(outcomes)).toEqual([
    ["day.tokens=250", "limit"],
    ["day.tokens=250", "limit"],
  ]);
  const lines = readFileSync(join(directory.path, "state/usage.jsonl"), "utf8").trimEnd().split("\n");
  // A turn that is running when the limit is reached is the last one.
  expect(lines.length).toBeLessThanOrEqual(4);
  for (const agent of agents) await agent.close();
});

test("what a tool spends itself counts for the day", async () => {
  using directory = agentDirectory({ "agent.mdx": agentWith("{ day: { tokens: 250 } }") });
  const cost = addAnswer(
    noCost,
    { usage: { input: 180, output: 20, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 200 } },
    1,
  );
  const think: AgentTool = {
    ...{ name: "think", description: "Thinks", parameters: { type: "object", properties: {} } },
    execute: async () => ({ content: [{ type: "text", text: "thought" }], cost }),
  };
  const tools = [{ origin: "custom:test", tools: () => [think] }] as const;
  const called: Reply = { calls: [{ id: "a", name: "think", arguments: {} }], usage };
  const allow = { permissions: { allowsAll: true } };
  expect(await run(directory.path, [called, said], { tools, ...allow })).toEqual([["day.tokens=250", "limit"]]);
  expect(readFileSync(join(directory.path, "state/usage.jsonl"), "utf8")).toContain('"model":"tool/think"');
});

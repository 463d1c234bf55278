import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { agentDirectory } from "../../support/agent-directory.ts";
import { aimock, ways } from "../../support/aimock.ts";
import { lookedAt, lookingAgent } from "../../support/looking-agent.ts";

/** The outcome of a prompt. Throws where its events have no end, or more than one. */
function outcomeOf(events: readonly AgentEvent[]): string {
  const ends = events.filter(({ type }) => type === "agent_end");
  const end = events.at(-1);
  if (end?.type !== "agent_end" || ends.length > 1) throw new Error("a prompt has one end, at its end");
  return end.outcome;
}

/** The message of the last answer that broke off. */
const failureOf = (events: readonly AgentEvent[]): string | undefined =>
  events.findLast((event) => event.type === "turn_end")?.message.errorMessage;

const call = { id: "call_1", name: "look", arguments: { text: "sea" } };

const troubles = {
  "a failure before the answer": { chaos: { dropRate: 1 } },
  "an answer that is no JSON": { chaos: { malformedRate: 1 } },
  "a connection that breaks at once": { chaos: { disconnectRate: 1 } },
  "an answer that breaks off after its first event": { truncateAfterChunks: 1 },
  "an answer that breaks off later": { truncateAfterChunks: 4, chunkSize: 2 },
  "a connection that breaks in the middle of a slow answer": { latency: 20, chunkSize: 2, disconnectAfterMs: 50 },
};

const cases = Object.entries(troubles).flatMap(([name, options]) => ways.map((way) => [way, name, options] as const));

test.each(cases)(
  "%s: %s ends in a clear failure, nothing is run, and the session goes on",
  async (way, _name, options) => {
    await using server = await aimock();
    // On one wire both inputs are one message by then, so that the later one is looked for first.
    server.mock.onMessage("Go on", { content: "Well." });
    server.mock.onMessage("Look", { content: "I look at the sea.", toolCalls: [call] }, options);
    using directory = agentDirectory(lookingAgent);
    const agent = await server.open(directory.path, way);
    const events = await Array.fromAsync(agent.session().prompt("Look"));
    expect(outcomeOf(events)).toBe("error");
    expect(failureOf(events)).toMatch(/./);
    expect(lookedAt(directory.path)).toEqual([]);
    expect(outcomeOf(await Array.fromAsync(agent.session().prompt("Go on")))).toBe("done");
    await agent.close();
  },
);

test.each(ways)("%s: wherever an answer is cut, its call is whole and run once, or is not run", async (way) => {
  await using server = await aimock();
  using directory = agentDirectory(lookingAgent);
  const agent = await server.open(directory.path, way, { retries: [] });
  const outcomes = new Set<string>();
  for (let pieces = 1; pieces < 30; pieces += 2) {
    server.mock.clearFixtures();
    server.mock.on({ hasToolResult: true }, { content: "Calm." });
    const toolCalls = [{ ...call, arguments: { text: `piece-${pieces}` } }];
    server.mock.on({}, { content: "I look.", toolCalls }, { truncateAfterChunks: pieces, chunkSize: 2 });
    const outcome = outcomeOf(await Array.fromAsync(agent.session(`s${pieces}`).prompt("Look")));
    const times = lookedAt(directory.path).filter((text) => text === `piece-${pieces}`).length;
    expect({ pieces, outcome, times }).toEqual({ pieces, outcome, times: outcome === "done" ? 1 : 0 });
    outcomes.add(outcome);
  }
  await agent.close();
  expect([...outcomes].toSorted()).toEqual(["done", "error"]);
});

test.each(ways)("%s: an answer that breaks off once is asked for again and runs its tools once", async (way) => {
  await using server = await aimock();
  const answer = { content: "I look at the sea.", toolCalls: [call] };
  server.mock.on({ hasToolResult: false, sequenceIndex: 0 }, answer, { truncateAfterChunks: 4, chunkSize: 2 });
  server.mock.on({ hasToolResult: false, sequenceIndex: 1 }, answer);
  server.mock.on({ hasToolResult: true }, { content: "Calm." });
  using directory = agentDirectory(lookingAgent);
  const agent = await server.open(directory.path, way);
  const events = await Array.fromAsync(agent.session().prompt("Look"));
  await agent.close();
  expect(outcomeOf(events)).toBe("done");
  expect(events.filter(({ type }) => type === "model_retry").length).toBe(1);
  expect(lookedAt(directory.path)).toEqual(["sea"]);
});

test.each(ways)("%s: a slow answer is waited for", async (way) => {
  await using server = await aimock();
  const slow = { chunkSize: 2, streamingProfile: { ttft: 100, tps: 100, jitter: 1 } };
  server.mock.onMessage("Hello", { content: "Good day to you." }, slow);
  using directory = agentDirectory();
  const agent = await server.open(directory.path, way);
  expect(outcomeOf(await Array.fromAsync(agent.session().prompt("Hello")))).toBe("done");
  await agent.close();
});

test("a limit on the rate is waited out as long as the server asks for", async () => {
  const waits = ways.map(async (way) => {
    await using server = await aimock();
    const error = { message: "Slow down", type: "rate_limit_error" };
    server.mock.on({ userMessage: "Hello", sequenceIndex: 0 }, { error, status: 429, retryAfter: 1 });
    server.mock.on({ userMessage: "Hello", sequenceIndex: 1 }, { content: "Good day." });
    using directory = agentDirectory();
    const agent = await server.open(directory.path, way);
    const events = await Array.fromAsync(agent.session().prompt("Hello"));
    await agent.close();
    return [outcomeOf(events), events.find((event) => event.type === "model_retry")?.delay];
  });
  expect(await Promise.all(waits)).toEqual(ways.map(() => ["done", 1000]));
});

test.each(ways)(
  "%s: among random troubles each prompt ends, and what runs was called by a whole answer",
  async (way) => {
    await using server = await aimock();
    server.mock.setChaos({ dropRate: 0.2, malformedRate: 0.2, disconnectRate: 0.2 });
    server.mock.on({ hasToolResult: false }, { content: "I look.", toolCalls: [call] });
    server.mock.on({ hasToolResult: true }, { content: "Calm." });
    using directory = agentDirectory(lookingAgent);
    const agent = await server.open(directory.path, way);
    const events: AgentEvent[] = [];
    for (let count = 0; count < 12; count++) {
      if (count === 11) server.mock.clearChaos();
      const told = await Array.fromAsync(agent.session().prompt("Look"));
      expect(outcomeOf(told)).toMatch(count === 11 ? "done" : /^(?:done|error)$/);
      events.push(...told);
    }
    await agent.close();
    const calling = events.filter((event) => event.type === "turn_end" && event.message.stopReason === "toolUse");
    expect(lookedAt(directory.path).length).toBe(calling.length);
  },
);

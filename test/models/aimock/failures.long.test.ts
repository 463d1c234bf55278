import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import type { Agent } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { type Aimock, aimock, type Way, ways } from "../../support/aimock.ts";
import { lookedAt, lookingAgent } from "../../support/looking-agent.ts";

/** An agent that is to look at the sea, in two turns. */
async function lookingAt(server: Aimock, directory: string, way: Way): Promise<Agent> {
  const toolCalls = [{ id: "call_1", name: "look", arguments: { text: "sea" } }];
  server.mock.on({ hasToolResult: false }, { toolCalls });
  server.mock.on({ hasToolResult: true }, { content: "Calm." });
  return server.open(directory, way);
}

const outcome = (events: readonly AgentEvent[]): string | undefined => {
  const end = events.at(-1);
  return end?.type === "agent_end" ? end.outcome : undefined;
};

const retries = (events: readonly AgentEvent[]): AgentEvent[] => events.filter(({ type }) => type === "model_retry");

const failures = [500, 503, 529].flatMap((status) => ways.map((way) => [way, status] as const));

test.each(failures)("%s: status %d is asked again, shown, and no tool runs twice", async (way, status) => {
  await using server = await aimock();
  using directory = agentDirectory(lookingAgent);
  const agent = await lookingAt(server, directory.path, way);
  // The second failure comes after the tool has run.
  const fail = (): unknown =>
    server.mock.nextRequestError(status, { message: "Told to fail", type: "overloaded_error" });
  fail();
  const events: AgentEvent[] = [];
  for await (const event of agent.session().prompt("Look")) {
    if (event.type === "tool_execution_end") fail();
    events.push(event);
  }
  await agent.close();
  expect(outcome(events)).toBe("done");
  expect(retries(events)).toMatchObject([
    { attempt: 1, attempts: 2, reason: expect.stringContaining(String(status)) },
    { attempt: 1, attempts: 2 },
  ]);
  expect(server.asked).toBe(4);
  expect(lookedAt(directory.path)).toEqual(["sea"]);
});

test.each(ways)("%s: after the last repetition the failure is the outcome", async (way) => {
  await using server = await aimock();
  server.mock.onMessage("Hello", { error: { message: "Overloaded", type: "overloaded_error" }, status: 529 });
  using directory = agentDirectory();
  const agent = await server.open(directory.path, way);
  const events = await Array.fromAsync(agent.session().prompt("Hello"));
  await agent.close();
  expect(outcome(events)).toBe("error");
  expect(retries(events).length).toBe(2);
  expect(server.asked).toBe(3);
});

const refusals = [400, 401, 413].flatMap((status) => ways.map((way) => [way, status] as const));

test.each(refusals)("%s: status %d is not asked again", async (way, status) => {
  await using server = await aimock();
  server.mock.onMessage("Hello", { error: { message: "No", type: "invalid_request_error" }, status });
  using directory = agentDirectory();
  const agent = await server.open(directory.path, way);
  const events = await Array.fromAsync(agent.session().prompt("Hello"));
  await agent.close();
  expect(outcome(events)).toBe("error");
  expect(server.asked).toBe(1);
});

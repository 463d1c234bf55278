import { expect, test } from "bun:test";
import { bodyOf, eventsUntil, serveAgent } from "../../support/served-agent.ts";

const SLOW = { deltas: ["a", "b"], deltaDelay: 600_000 };
const COMMAND = { calls: [{ id: "c1", name: "bash", arguments: { command: "touch made" } }] };

test("a running prompt is steered and cancelled, a waiting one leaves no trace", async () => {
  await using agent = await serveAgent({ replies: [COMMAND, SLOW] });
  const idle = await agent.send("POST", "sessions/main/steer", { text: "faster" });
  expect([idle.status, (await agent.send("POST", "sessions/main/cancel", {})).status]).toEqual([409, 409]);
  const { promptId } = await agent.json("POST", "sessions/main/prompts", { text: "one" });
  await eventsUntil(agent, "main", "question_asked");
  const waiting = await agent.json("POST", "sessions/main/prompts", { text: "two" });
  expect((await agent.send("POST", "sessions/main/steer", { text: "faster" })).status).toBe(202);
  expect((await agent.json("GET", "sessions/main")).active).toEqual([
    { id: promptId, text: "one", state: "running" },
    { id: waiting.promptId, text: "two", state: "queued" },
  ]);
  expect(await agent.json("POST", "sessions/main/cancel", { prompt: waiting.promptId })).toEqual({
    cancelled: waiting.promptId,
  });
  await agent.send("POST", "sessions/main/questions/1.1.1", { answer: "yes" });
  const first = await eventsUntil(agent, "main", "turn_end");
  await eventsUntil(agent, "main", "message_start", first.at(-1)?.id);
  expect((await agent.send("POST", "sessions/main/cancel", { prompt: "none" })).status).toBe(404);
  expect((await agent.send("DELETE", "sessions/main")).status).toBe(409);
  expect(await agent.json("POST", "sessions/main/cancel", {})).toEqual({ cancelled: promptId });
  const events = await eventsUntil(agent, "main", "agent_end");
  expect(events.at(-1)?.data).toMatchObject({ type: "agent_end", outcome: "aborted" });
  const { messages } = await agent.json("GET", "sessions/main/messages");
  expect(JSON.stringify(messages)).toContain("faster");
  expect(JSON.stringify(messages)).not.toContain('"two"');
});

test("a server that stops leaves its prompt interrupted, and the next one continues it by itself", async () => {
  await using first = await serveAgent({ replies: [COMMAND, { text: "never" }] });
  await first.send("POST", "sessions/main/prompts", { text: "make it" }, { "idempotency-key": "k1" });
  const events = await eventsUntil(first, "main", "question_asked");
  const following = first.send("GET", `sessions/main/events?after=${events.at(-1)?.id}`);
  await (await following).body?.getReader().read();
  await first.server.stop();
  await using second = await serveAgent({
    directory: first.directory,
    home: first.home,
    replies: [{ text: "made it" }],
  });
  await second.opening;
  expect(await second.json("POST", "sessions/main/prompts", { text: "make it" }, { "idempotency-key": "k1" })).toEqual({
    promptId: "k1",
  });
  await eventsUntil(second, "main", "question_asked", events.at(-2)?.id);
  await second.send("POST", "sessions/main/questions/1.1.1", { answer: "yes" });
  await eventsUntil(second, "main", "agent_end");
  const { messages } = await second.json("GET", "sessions/main/messages");
  expect(messages.at(-1).content).toEqual([{ type: "text", text: "made it" }]);
  expect((await second.json("GET", "sessions/main")).prompts).toBe(1);
});

test("a prompt of a session from elsewhere waits until it is resumed by name", async () => {
  await using first = await serveAgent({ replies: [SLOW] });
  await first.send("POST", "sessions/main/prompts", { text: "go on" });
  await eventsUntil(first, "main", "message_start");
  await first.server.stop();
  // Another user's program, without the key by which it knows its own journals.
  await using other = await serveAgent({ directory: first.directory, replies: [{ text: "went on" }] });
  await other.opening;
  expect(other.warnings).toContainEqual(expect.stringContaining("untrusted"));
  expect((await other.json("GET", "sessions/main")).active).toEqual([]);
  const resumed = await other.send("POST", "sessions/main/resume", {});
  expect([resumed.status, (await bodyOf(resumed)).prompts]).toMatchObject([202, [{ text: "go on" }]]);
  await eventsUntil(other, "main", "agent_end");
  const { messages } = await other.json("GET", "sessions/main/messages");
  expect(messages.at(-1).content).toEqual([{ type: "text", text: "went on" }]);
});

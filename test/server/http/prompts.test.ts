import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../support/eventually.ts";
import { ASKING_AGENT, ASKING_REPLIES, DENYING_AGENT } from "../../support/limited-agent.ts";
import {
  bodyOf,
  eventsUntil,
  type Json,
  type ServedAgent,
  sentEvents,
  serveAgent,
} from "../../support/served-agent.ts";

const COMMAND = { calls: [{ id: "c1", name: "bash", arguments: { command: "touch made" } }] };

const texts = (events: readonly { readonly data: Json }[]): string =>
  events
    .flatMap(({ data }) =>
      data.assistantMessageEvent?.type === "text_delta" ? [data.assistantMessageEvent.delta] : [],
    )
    .join("");

test("a prompt is accepted with its id, streams, and can be read again from any event on", async () => {
  await using agent = await serveAgent({ replies: [{ deltas: ["Hello ", "there"] }, { text: "again" }] });
  const following = eventsUntil(agent, "main", "agent_end");
  const accepted = await agent.send("POST", "sessions/main/prompts", { text: "hi" });
  const { promptId } = await bodyOf(accepted);
  expect(accepted.status).toBe(202);
  const events = await following;
  expect(events[0]).toMatchObject({ id: "1.1", data: { type: "agent_start", promptId } });
  expect(
    events.every(({ id, data }) => id === data.id && (id === undefined) === (data.type === "message_update")),
  ).toBe(true);
  expect(texts(events)).toBe("Hello there");

  const lasting = events.filter(({ id }) => id !== undefined);
  for (const [at, { id }] of lasting.entries()) {
    const path = `sessions/main/events?follow=false&after=${id}`;
    const lines = (await (await agent.send("GET", path)).text()).split("\n").filter((line) => line !== "");
    const ids = lines.map((line) => JSON.parse(line).id).filter((one) => one !== undefined);
    expect(ids).toEqual(lasting.slice(at + 1).map((event) => event.id));
  }
  const headers = { accept: "text/event-stream", "last-event-id": lasting[2]?.id ?? "" };
  const again = await agent.send("GET", "sessions/main/events?follow=false", undefined, headers);
  expect((await Array.fromAsync(sentEvents(again)))[0]?.id).toBe(lasting[3]?.id);

  expect((await agent.json("GET", "sessions/main/messages")).messages).toHaveLength(2);
  expect(await agent.json("GET", "sessions/main/trace")).toMatchObject({ session: "main" });
  expect(await agent.json("GET", "sessions/main/export")).toMatchObject({
    id: "main",
    messages: [{ role: "user" }, {}],
  });
  expect((await (await agent.send("GET", "sessions/main/export?format=jsonl")).text()).length).toBeGreaterThan(100);
});

test.each(["", "x", "1", "1.99", "7.1", "-1.0", "1.1.1", "9".repeat(40)])(
  "events after %j, which no event has, are a mistake",
  async (after) => {
    await using agent = await serveAgent({ replies: [{ text: "hello" }] });
    await agent.send("POST", "sessions/main/prompts", { text: "hi" });
    await eventsUntil(agent, "main", "agent_end");
    const response = await agent.send("GET", `sessions/main/events?after=${after}`);
    expect([response.status, (await bodyOf(response)).code]).toEqual([400, "unknown_event"]);
  },
);

test("a key starts one prompt, and none with another input", async () => {
  await using agent = await serveAgent({ replies: [{ text: "one" }, { text: "two" }] });
  const image = { data: "aGk=", mimeType: "image/png" };
  const submit = (body: unknown): Promise<Response> =>
    agent.send("POST", "sessions/main/prompts", body, { "idempotency-key": "k 1".replace(" ", "-") });
  const both = await Promise.all([submit({ text: "hi", images: [image] }), submit({ text: "hi", images: [image] })]);
  expect(await Promise.all(both.map((one) => one.json()))).toEqual([{ promptId: "k-1" }, { promptId: "k-1" }]);
  await eventsUntil(agent, "main", "agent_end");
  expect(await (await submit({ text: "hi", images: [image] })).json()).toEqual({ promptId: "k-1" });
  for (const body of [
    { text: "ho", images: [image] },
    { text: "hi" },
    { text: "hi", images: [{ ...image, data: "aGo=" }] },
  ]) {
    const refused = await submit(body);
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([409, "key_reused"]);
  }
  expect((await agent.json("GET", "sessions/main")).prompts).toBe(1);
  const bad = await agent.send("POST", "sessions/main/prompts", { text: "x" }, { "idempotency-key": "k ä" });
  expect(bad.status).toBe(400);
});

test.each([
  [{}, 422],
  [{ text: "" }, 422],
  [{ text: 3 }, 422],
  [{ text: "x", image: [] }, 422],
  [{ text: "x", images: [{ data: "?", mimeType: "image/png" }] }, 422],
  [{ text: "x", images: [{ data: "aGk=", mimeType: "text/html" }] }, 422],
  [[], 422],
  ["null", 422],
] as const)("the prompt %j is refused", async (body, status) => {
  await using agent = await serveAgent();
  expect((await agent.send("POST", "sessions/main/prompts", body)).status).toBe(status);
  expect((await agent.json("GET", "sessions")).sessions).toEqual([]);
});

test("too many images, and a conversation without a message, are refused with what is expected", async () => {
  await using agent = await serveAgent();
  const images = Array.from({ length: 21 }, () => ({ data: "aGk=", mimeType: "image/png" }));
  const prompt = await agent.json("POST", "sessions/main/prompts", { text: "x", images });
  expect(prompt.detail).toContain("expected a list of at most 20 images");
  const chat = await agent.json("POST", "/v1/chat/completions", { model: "agent", messages: [] });
  expect(chat.error.message).toContain("expected a list of at least one message");
});

test("a question waits for one of its words, once, and its answer says who gave it", async () => {
  await using agent = await serveAgent({ replies: [COMMAND, { text: "made it" }] });
  await agent.send("POST", "sessions", { id: "other" });
  await agent.send("POST", "sessions/main/prompts", { text: "make it" });
  await eventsUntil(agent, "main", "question_asked");
  const { questions } = await agent.json("GET", "sessions/main/questions");
  expect(questions).toMatchObject([{ id: "1.1.1", kind: "approval", default: "no" }]);
  expect(questions[0].answers).toContain("yes");
  expect(await agent.json("GET", "sessions/main")).toMatchObject({ state: "waiting" });
  const answer = async (session: string, id: string, body: unknown): Promise<number> =>
    (await agent.send("POST", `sessions/${session}/questions/${id}`, body)).status;
  expect(await answer("main", "1.1.1", { answer: "perhaps" })).toBe(422);
  expect(await answer("main", "1.1.1", { words: "yes" })).toBe(422);
  expect(await answer("other", "1.1.1", { answer: "yes" })).toBe(404);
  expect(await answer("main", "1.1.2", { answer: "yes" })).toBe(404);
  expect(await answer("main", "..%2f1", { answer: "yes" })).toBe(404);
  expect(await answer("main", "1.1.1", { answer: "yes" })).toBe(200);
  expect(await answer("main", "1.1.1", { answer: "no" })).toBe(409);
  const events = await eventsUntil(agent, "main", "agent_end");
  expect(events.find(({ data }) => data.type === "question_answered")?.data).toMatchObject({
    answer: { answer: "once", by: "server" },
  });
  expect(await answer("main", "1.1.1", { answer: "no" })).toBe(409);
  expect(readFileSync(join(agent.directory, "sessions/main/journal.jsonl"), "utf8")).toContain('"by":"server"');
});

test.each([
  ["yes", "done"],
  ["no", "limit"],
] as const)("a limit that asks is a question with its amounts, and %s decides it", async (answer, outcome) => {
  await using agent = await serveAgent({ files: ASKING_AGENT, replies: ASKING_REPLIES });
  await agent.send("POST", "sessions/main/prompts", { text: "go" });
  await eventsUntil(agent, "main", "question_asked");
  const { questions } = await agent.json("GET", "sessions/main/questions");
  const asked = { id: "1.0.1", kind: "budget", limit: "tokens", spent: 100, value: 100, adds: 100, default: "no" };
  expect(questions).toMatchObject([{ ...asked, answers: ["yes", "no"] }]);
  const give = async (word: string): Promise<number> =>
    (await agent.send("POST", "sessions/main/questions/1.0.1", { answer: word })).status;
  expect(await give("always")).toBe(422);
  expect(await give(answer)).toBe(200);
  const events = await eventsUntil(agent, "main", "agent_end");
  expect(events.at(-1)?.data).toMatchObject({ type: "agent_end", outcome });
  expect(await give(answer)).toBe(409);
});

test("a prompt that a hook denies ends with the reason, and reaches no model", async () => {
  await using agent = await serveAgent({ files: DENYING_AGENT, replies: [{ text: "never" }] });
  await agent.send("POST", "sessions/main/prompts", { text: "go" });
  const events = await eventsUntil(agent, "main", "agent_end");
  const { outcome, denied } = events.at(-1)?.data ?? {};
  expect([outcome, denied]).toEqual(["error", expect.stringContaining("closed on Sundays")]);
  expect((await agent.json("GET", "sessions/main/messages")).messages).toEqual([]);
});

test("a question with a deadline shows it, and is a no after it", async () => {
  await using agent = await serveAgent({ replies: [COMMAND, { text: "well" }], answersWithin: 1 });
  const begun = Date.now();
  await agent.send("POST", "sessions/main/prompts", { text: "make it" });
  await eventsUntil(agent, "main", "question_asked");
  const { questions } = await agent.json("GET", "sessions/main/questions");
  expect(Date.parse(questions[0].deadline)).toBeWithin(begun + 1000, Date.now() + 1001);
  const events = await eventsUntil(agent, "main", "agent_end");
  expect(events.find(({ data }) => data.type === "question_answered")?.data.answer).toMatchObject({ by: "deadline" });
  expect(existsSync(join(agent.directory, "made"))).toBe(false);
  expect((await agent.send("POST", "sessions/main/questions/1.1.1", { answer: "yes" })).status).toBe(409);
});

test("a denial carries the user's reason to the model", async () => {
  await using agent = await serveAgent({ replies: [COMMAND, { text: "well" }] });
  await agent.send("POST", "sessions/main/prompts", { text: "make it" });
  await eventsUntil(agent, "main", "question_asked");
  await agent.send("POST", "sessions/main/questions/1.1.1", { answer: "no", reason: "use the other folder" });
  await eventsUntil(agent, "main", "agent_end");
  const { messages } = await agent.json("GET", "sessions/main/messages");
  expect(JSON.stringify(messages)).toContain("use the other folder");
});

async function prompted(agent: ServedAgent, session: string, text: string): Promise<void> {
  const { active } = await agent.json("GET", `sessions/${session}`);
  expect(active).toEqual([]);
  const events = (await agent.send("GET", `sessions/${session}/events?follow=false`)).text();
  const last = (await events).split("\n").findLast((line) => line.includes('"id":"'));
  await agent.send("POST", `sessions/${session}/prompts`, { text });
  await eventsUntil(agent, session, "agent_end", last === undefined ? "0.0" : JSON.parse(last).id);
}

test("sessions are made, titled, renamed, forked, rewound and deleted", async () => {
  await using agent = await serveAgent({ replies: [{ text: "1" }, { text: "2" }, { text: "3" }] });
  const made = await agent.send("POST", "sessions", { title: "A plan" });
  const { id } = await bodyOf(made);
  expect([made.status, made.headers.get("location")]).toEqual([201, `/api/agents/agent/sessions/${id}`]);
  await prompted(agent, id, "one");
  await prompted(agent, id, "two");
  expect(await agent.json("PATCH", `sessions/${id}`, { id: "plan", title: "The plan" })).toMatchObject({
    ...{ id: "plan", title: "The plan", state: "idle", prompts: 2 },
  });
  expect((await agent.send("GET", `sessions/${id}`)).status).toBe(404);
  expect((await agent.send("PATCH", "sessions/plan", { id: "../x" })).status).toBe(422);
  expect(await agent.json("POST", "sessions/plan/fork", { prompt: 1 })).toMatchObject({ id: "plan-fork", turns: 1 });
  expect((await agent.send("POST", "sessions/plan/fork", { id: "plan-fork" })).status).toBe(409);
  expect((await agent.send("POST", "sessions/plan/fork", { prompt: 9 })).status).toBe(404);
  expect((await agent.json("GET", "sessions/plan-fork/messages")).messages).toHaveLength(2);
  const unknown = await agent.send("POST", "sessions/plan/rewind", { prompt: 9 });
  const none = "session plan has no prompt 9 that has ended; there are: 1 to 2";
  expect([unknown.status, (await bodyOf(unknown)).detail]).toEqual([404, none]);
  await agent.json("POST", "sessions/plan/rewind", { prompt: 2 });
  expect((await agent.json("GET", "sessions/plan/messages")).messages).toHaveLength(2);
  expect((await agent.send("POST", "sessions", { id: "plan" })).status).toBe(409);
  expect((await agent.send("POST", "sessions", { id: "main" })).status).toBe(409);

  const left = eventsUntil(agent, "plan", "nothing").catch(String);
  await eventually(() => agent.server.port > 0);
  expect((await agent.send("DELETE", "sessions/plan")).status).toBe(204);
  expect(await left).toContain("the stream ended");
  await agent.send("POST", "sessions", { id: "plan" });
  expect(await (await agent.send("GET", "sessions/plan/events?follow=false")).text()).toBe("\n");
  const { sessions } = await agent.json("GET", "sessions");
  expect(sessions.map((session: { id: string }) => session.id).sort()).toEqual(["plan", "plan-fork"]);
});

test("simultaneous forks get ids of their own, and the session is read meanwhile", async () => {
  await using agent = await serveAgent({ replies: [{ text: "one" }] });
  await agent.send("POST", "sessions", { id: "plan" });
  await prompted(agent, "plan", "one");
  const forks = Array.from({ length: 4 }, () => agent.send("POST", "sessions/plan/fork", {}));
  const reads = ["info", "skills"].map((part) => agent.send("GET", `sessions/plan/${part}`));
  const statuses = (await Promise.all([...forks, ...reads])).map(({ status }) => status);
  expect(statuses).toEqual([201, 201, 201, 201, 200, 200]);
  const { sessions } = await agent.json("GET", "sessions");
  const ids = ["plan", ...["", "-2", "-3", "-4"].map((number) => `plan-fork${number}`)];
  expect(sessions.map((session: { id: string }) => session.id).sort()).toEqual(ids);
});

test("health and readiness need no token: it runs at once, and is ready when its agents are open", async () => {
  const gate = Promise.withResolvers<never>();
  await using busy = await serveAgent({ agents: async () => [{ name: "agent", open: () => gate.promise }] });
  const status = async (agent: ServedAgent, path: string): Promise<readonly unknown[]> => {
    const response = await fetch(`${agent.server.url}${path}`);
    return [response.status, (await bodyOf(response)).status];
  };
  expect(await status(busy, "/healthz")).toEqual([200, "ok"]);
  expect(await status(busy, "/readyz")).toEqual([503, 503]);
  gate.reject(new Error("the test is over"));
  await using open = await serveAgent();
  await open.opening;
  expect(await status(open, "/readyz")).toEqual([200, "ready"]);
});

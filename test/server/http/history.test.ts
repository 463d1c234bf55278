import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { failureReply, textReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";
import { eventually } from "../../support/eventually.ts";
import { bodyOf, eventsUntil, type ServedAgent, serveAgent, TOKEN } from "../../support/served-agent.ts";

const IMAGE = { data: "aGk=", mimeType: "image/png" };
const LONG = "long ".repeat(2000);

/** Runs a prompt to its end; the last event before it is `after`. Returns the id of its end. */
async function prompted(agent: ServedAgent, body: object, after = "0.0"): Promise<string> {
  await agent.send("POST", "sessions/main/prompts", body);
  return (await eventsUntil(agent, "main", "agent_end", after)).at(-1)?.id ?? "";
}

test("a session is compacted: the model gets a summary, and of older images their number", async () => {
  using server = anthropicServer(...["A dot.", "Two.", "Three.", "A summary.", "Four."].map((text) => textReply(text)));
  const model = await openModel("claude-test", { environment: server.environment });
  await using agent = await serveAgent({ model });
  expect(await agent.json("POST", "sessions/main/compact", {})).toEqual({ compacted: null });
  const first = await prompted(agent, { text: `What is it? ${LONG}`, images: [IMAGE] });
  const second = await prompted(agent, { text: `b ${LONG}` }, first);
  const third = await prompted(agent, { text: `c ${LONG}`, images: [IMAGE] }, second);
  const { compacted } = await agent.json("POST", "sessions/main/compact", {});
  expect(compacted.after).toBeLessThan(compacted.before);
  await prompted(agent, { text: "d" }, third);
  const [, , before = "", asked = "", after = ""] = server.requests.map(({ text }) => text);
  const images = (text: string): number => text.split(IMAGE.data).length - 1;
  expect([before, asked, after].map(images)).toEqual([2, 0, 1]);
  expect(asked).toContain(String.raw`\"images\":1`);
  expect([after.includes("A summary."), after.includes("What is it?")]).toEqual([true, false]);
  expect(server.requests.map(({ refusal }) => refusal)).toEqual(Array(5).fill(undefined));
  // The session itself keeps everything.
  const { messages } = await agent.json("GET", "sessions/main/messages");
  expect([messages.length, messages[0].content[1]]).toEqual([8, { type: "image", ...IMAGE }]);
});

test("a summary that the model refuses is its failure, and a client that leaves ends the request for one", async () => {
  using server = anthropicServer(
    ...["One.", "Two.", "Three."].map((text) => textReply(text)),
    failureReply(400, "invalid_request_error", { message: "not today" }),
    { ...textReply("Never."), before: 600_000 },
  );
  const model = await openModel("claude-test", { environment: server.environment });
  await using agent = await serveAgent({ model });
  let last = "0.0";
  for (const text of ["a", "b", "c"]) last = await prompted(agent, { text: `${text} ${LONG}` }, last);
  const failed = await agent.send("POST", "sessions/main/compact", {});
  expect([failed.status, await bodyOf(failed)]).toMatchObject([
    502,
    { code: "model_failed", detail: expect.stringContaining("not today") },
  ]);
  const leaving = new AbortController();
  const left = fetch(`${agent.server.url}/api/agents/agent/sessions/main/compact`, {
    ...{ method: "POST", body: "{}", signal: leaving.signal },
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
  });
  await eventually(() => server.requests.length === 5);
  leaving.abort();
  await expect(left).rejects.toThrow();
  await eventually(() => server.requests[4]?.closed.aborted === true);
  expect((await agent.json("GET", "sessions/main")).state).toBe("idle");
  expect(agent.warnings).toEqual([]);
});

test("a session is cleared: its messages are archived, and the next prompt begins anew", async () => {
  using server = anthropicServer(...["One.", "Two."].map((text) => textReply(text)));
  const model = await openModel("claude-test", { environment: server.environment });
  await using agent = await serveAgent({ model });
  const last = await prompted(agent, { text: "about walnuts" });
  const cleared = await agent.send("POST", "sessions/main/clear", {});
  expect([cleared.status, await bodyOf(cleared)]).toMatchObject([200, { id: "main", state: "idle", prompts: 0 }]);
  expect((await agent.json("GET", "sessions/main/messages")).messages).toEqual([]);
  expect(readdirSync(join(agent.directory, "sessions/main/archive"))).toHaveLength(1);
  // Nobody has its events any more.
  expect((await agent.send("GET", `sessions/main/events?after=${last}`)).status).toBe(400);
  await prompted(agent, { text: "about hazelnuts" });
  const asked = server.requests.at(-1)?.text ?? "";
  expect([asked.includes("walnuts"), asked.includes("hazelnuts")]).toEqual([false, true]);
});

test("a body with a member is a mistake", async () => {
  await using agent = await serveAgent();
  for (const change of ["compact", "clear"]) {
    const refused = await agent.json("POST", `sessions/main/${change}`, { keep: 1 });
    expect(refused).toMatchObject({ status: 422, detail: "unexpected member `keep`, expected none" });
  }
});

test("a session with a running prompt is neither compacted nor cleared", async () => {
  await using agent = await serveAgent({ replies: [{ deltas: ["a", "b"], deltaDelay: 600_000 }] });
  await agent.send("POST", "sessions/main/prompts", { text: "go" });
  await eventsUntil(agent, "main", "message_start");
  for (const change of ["compact", "clear"]) {
    const refused = await agent.send("POST", `sessions/main/${change}`, {});
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([409, "session_running"]);
  }
});

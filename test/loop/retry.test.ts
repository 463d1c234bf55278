import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { type AgentFiles, agentDirectory } from "../support/agent-directory.ts";
import { outcomeOf, typed } from "../support/event-order.ts";
import { overloaded, type Reply } from "../support/replies.ts";
import { done, run } from "../support/retry-bench.ts";
import { openScriptAgent } from "../support/script-agent.ts";

const settings = (yaml: string): AgentFiles => ({
  "agent.mdx": `---\n${yaml}\n---\n# Agent: Minimal\n\n## Purpose\n\nBe tested.\n`,
});

test("a failure that may pass is an event, and the model is asked again", async () => {
  const events = await run([overloaded, overloaded, done], [0, 0]);
  expect(typed(events, "model_retry")).toMatchObject([
    { type: "model_retry", attempt: 1, attempts: 2, delay: 0, reason: "overloaded" },
    { type: "model_retry", attempt: 2, attempts: 2, delay: 0, reason: "overloaded" },
  ]);
  expect(outcomeOf(events)).toBe("done");
  expect(typed(events, "agent_end")[0]?.messages).toMatchObject([{ role: "user" }, { content: [{ text: "done" }] }]);
});

test("a list of seconds sets the waits, in the frontmatter too", async () => {
  const events = await run(
    [overloaded, overloaded, overloaded, done],
    undefined,
    settings("retries: [0.02, 0.01, 0.03]"),
  );
  expect(typed(events, "model_retry").map(({ delay }) => delay)).toEqual([20, 10, 30]);
  expect(outcomeOf(events)).toBe("done");
});

test("the wait that a server asks for is kept", async () => {
  const busy: Reply = { error: { message: "busy", status: 429, retryAfter: 40 } };
  expect(typed(await run([busy, done], 1), "model_retry").map(({ delay }) => delay)).toEqual([40]);
  expect(typed(await run([busy, done], [0]), "model_retry").map(({ delay }) => delay)).toEqual([40]);
});

test("when the retries are used up the prompt ends with the error, reported once", async () => {
  const events = await run([overloaded, overloaded, overloaded, done], [0, 0]);
  expect(outcomeOf(events)).toBe("error");
  expect(typed(events, "agent_end")[0]?.messages).toHaveLength(2);
  expect(typed(events, "turn_end").map(({ message }) => message.errorMessage)).toEqual(["overloaded"]);
});

test.each([400, 401, 403, 404, 413])("status %d is never repeated", async (status) => {
  const events = await run([{ error: { message: "no", status } }, done], [0, 0]);
  expect(typed(events, "model_retry")).toEqual([]);
  expect(outcomeOf(events)).toBe("error");
});

test.each([408, 409, 429, 500, 502, 503, 529])("status %d is repeated", async (status) => {
  expect(outcomeOf(await run([{ error: { message: "later", status } }, done], [0]))).toBe("done");
});

test.each([
  ["claude-test", "ANTHROPIC"],
  ["openai/gpt-4.1", "OPENAI"],
])("a refused connection is retried: %s", async (reference, vendor) => {
  const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const environment = { [`${vendor}_API_KEY`]: "sk-test-key-0123456789", [`${vendor}_BASE_URL`]: gone.url.origin };
  await gone.stop(true);
  using directory = agentDirectory();
  const model = await openModel(reference, { environment });
  const agent = await openScriptAgent(directory.path, [], { model, retries: [0, 0] });
  const events = await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
  const retry = { attempts: 2, reason: expect.stringContaining("could not reach 127.0.0.1") };
  expect(typed(events, "model_retry")).toMatchObject([retry, retry]);
  expect(outcomeOf(events)).toBe("error");
});

test("a final 429 is not repeated, and with 0 retries nothing is", async () => {
  const final: Reply = { error: { message: "spent", status: 429, isTransient: false } };
  expect(outcomeOf(await run([final, done], [0]))).toBe("error");
  expect(outcomeOf(await run([overloaded, done], 0))).toBe("error");
});

test("a session that is opened again knows only the answers that counted", async () => {
  using directory = agentDirectory();
  const first = await openScriptAgent(directory.path, [overloaded, { text: "one" }], { retries: [0] });
  await Array.fromAsync(first.session().prompt("go"));
  const told = await first.session().messages();
  await first.close();
  const second = await openScriptAgent(directory.path, []);
  expect(await second.session().messages()).toEqual(told);
  await second.close();
  expect(existsSync(join(directory.path, "sessions/main/journal.jsonl"))).toBe(true);
});

test("an abort ends the wait", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [overloaded, done], { retries: [600] });
  const controller = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of agent.session().prompt("go", { signal: controller.signal })) {
    events.push(event);
    if (event.type === "model_retry") controller.abort();
  }
  await agent.close();
  expect(outcomeOf(events)).toBe("aborted");
});

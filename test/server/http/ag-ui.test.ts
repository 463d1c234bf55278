import { expect, test } from "bun:test";
import { HttpAgent } from "@ag-ui/client";
import { ASKING_AGENT, ASKING_REPLIES, DENYING_AGENT } from "../../support/limited-agent.ts";
import { bodyOf, type Json, type ServedAgent, serveAgent, TOKEN } from "../../support/served-agent.ts";

const COMMAND = { text: "Let me.", calls: [{ id: "c1", name: "bash", arguments: { command: "touch made" } }] };

interface AgUiClient {
  readonly agent: HttpAgent;
  /** All events so far. */
  readonly events: readonly Json[];
  /** Runs with this message, or with answers. */
  run(content?: string, resume?: readonly object[]): Promise<readonly string[]>;
}

/** The official client, which checks the order of events. */
function clientOf({ server }: ServedAgent, threadId: string): AgUiClient {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const agent = new HttpAgent({ url: `${server.url}/api/agents/agent/ag-ui`, threadId, headers });
  const events: Json[] = [];
  return {
    ...{ agent, events },
    async run(content, resume) {
      const before = events.length;
      if (content !== undefined) agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
      const options: Json = resume === undefined ? {} : { resume };
      await agent.runAgent(options, { onEvent: ({ event }) => void events.push(event) });
      return events.slice(before).map(({ type }) => type);
    },
  };
}

test("the official client gets text, thoughts and calls of a prompt, in a session of the thread's id", async () => {
  const read = { thinking: "Hm.", calls: [{ id: "c1", name: "read_file", arguments: { path: "agent.mdx" } }] };
  await using agent = await serveAgent({ replies: [read, { deltas: ["It is ", "a test."] }, { text: "two" }] });
  const client = clientOf(agent, "thread-1");
  expect(await client.run("What is it?")).toEqual([
    "RUN_STARTED",
    ...["REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT"],
    ...["REASONING_MESSAGE_END", "REASONING_END"],
    ...["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"],
    ...["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"],
    "RUN_FINISHED",
  ]);
  expect(client.events.at(-1)).toMatchObject({ threadId: "thread-1", outcome: { type: "success" } });
  const said = client.agent.messages.filter(({ role }) => role === "assistant").at(-1);
  expect(said?.content).toBe("It is a test.");
  await client.run("And?");
  expect((await agent.json("GET", "sessions/thread-1")).prompts).toBe(2);
});

test("a question is an interrupt, and the next run continues with its answer", async () => {
  await using agent = await serveAgent({ replies: [COMMAND, { text: "made it" }, COMMAND, { text: "well" }] });
  const client = clientOf(agent, "a thread with blanks");
  expect((await client.run("make it")).at(-1)).toBe("RUN_FINISHED");
  const { outcome } = client.events.at(-1);
  expect(outcome).toMatchObject({
    type: "interrupt",
    interrupts: [{ id: "1.1.1", reason: "approval", toolCallId: "c1", responseSchema: { type: "string" } }],
  });
  const types = await client.run(undefined, [{ interruptId: "1.1.1", status: "resolved", payload: "yes" }]);
  expect([types[0], types.at(-1)]).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  expect(types).toContain("TOOL_CALL_RESULT");
  expect(client.events.at(-1).outcome).toEqual({ type: "success" });
  await client.run("again");
  await client.run(undefined, [{ interruptId: "2.1.1", status: "cancelled" }]);
  expect(client.events.at(-1).outcome).toEqual({ type: "success" });
  const { sessions } = await agent.json("GET", "sessions");
  expect(sessions.map(({ id }: Json) => /^thread-[\da-f]{16}$/.test(id))).toEqual([true]);
});

test("a limit that asks is an interrupt, and the next run continues after a yes", async () => {
  await using agent = await serveAgent({ files: ASKING_AGENT, replies: ASKING_REPLIES });
  const client = clientOf(agent, "t");
  await client.run("go");
  const responseSchema = { type: "string", enum: ["yes", "no"] };
  expect(client.events.at(-1).outcome).toMatchObject({
    type: "interrupt",
    interrupts: [{ id: "1.0.1", reason: "budget", message: expect.stringContaining("100"), responseSchema }],
  });
  await client.run(undefined, [{ interruptId: "1.0.1", status: "resolved", payload: "yes" }]);
  expect(client.events.at(-1).outcome).toEqual({ type: "success" });
  expect(client.agent.messages.at(-1)?.content).toBe("Done.");
});

test("a prompt that a hook denies is an error of the run with the reason", async () => {
  await using agent = await serveAgent({ files: DENYING_AGENT, replies: [{ text: "never" }] });
  const client = clientOf(agent, "t");
  await client.run("go").catch(() => {});
  expect(client.events.at(-1)).toMatchObject({
    type: "RUN_ERROR",
    message: expect.stringContaining("closed on Sundays"),
  });
});

test("a failure is an error of the run", async () => {
  await using agent = await serveAgent({ replies: [{ error: { message: "broken", status: 400 } }] });
  const client = clientOf(agent, "t");
  await client.run("x").catch(() => {});
  expect(client.events.at(-1)).toMatchObject({ type: "RUN_ERROR", message: expect.stringContaining("broken") });
});

test("what cannot begin is a problem before any event, and makes no prompt", async () => {
  await using agent = await serveAgent({ replies: [COMMAND, { text: "well" }] });
  const client = clientOf(agent, "t");
  await client.run("make it");
  const run = (more: object): Promise<Response> =>
    agent.send("POST", "ag-ui", { threadId: "t", runId: "r", messages: [], ...more });
  const answer = (interruptId: string, payload: string): object => ({
    resume: [{ interruptId, status: "resolved", payload }],
  });
  const skill = { messages: [{ id: "1", role: "user", content: "/skill:none" }] };
  const image = { type: "image", source: { type: "data", value: "?", mimeType: "image/png" } };
  const empty = { type: "image", source: { type: "data", mimeType: "image/png" } };
  const cases: readonly (readonly [object, number, string])[] = [
    [{ messages: [{ id: "1", role: "user", content: [{ type: "text", text: "See" }, image] }] }, 422, "wrong_body"],
    [{ messages: [{ id: "1", role: "user", content: [{ type: "text", text: "See" }, empty] }] }, 422, "wrong_body"],
    [answer("9.9.9", "yes"), 404, "unknown_question"],
    [answer("1.1.1", "perhaps"), 422, "wrong_answer"],
    [skill, 422, "unknown_skill"],
  ];
  for (const [body, status, code] of cases) {
    const refused = await run(body);
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([status, code]);
  }
  expect(await agent.json("GET", "sessions/t")).toMatchObject({ prompts: 1, state: "waiting" });
  await client.run(undefined, [{ interruptId: "1.1.1", status: "resolved", payload: "yes" }]);
  const again = await run(answer("1.1.1", "yes"));
  expect([again.status, (await bodyOf(again)).code]).toEqual([409, "question_answered"]);
  expect(agent.warnings).toEqual([]);
});

import { describe, expect, test } from "bun:test";
import { ControlState, MemoryAgentError, ModelCallError } from "@mdx-ai/memory";
import { contextReply, entryReply, type MemoryBench, openMemoryBench } from "../../support/memory-bench.ts";
import type { Reply } from "../../support/replies.ts";

const user = (content: string) => ({ role: "user", content }) as const;
const assistant = (content: string) => ({ role: "assistant", content }) as const;

/** What the embedded store was asked for, without the prompts of the memory, which every first request reads. */
const operations = ({ done }: MemoryBench): readonly string[] => done.filter((name) => name !== "defaultPrompts");

const THREAD = "thread-1";

test("there are four control states, with the document's strings", () => {
  expect(ControlState).toStrictEqual({
    START_SESSION: "start_session",
    PROCESS_MESSAGE: "process_message",
    PROCESS_MESSAGE_AND_FLUSH: "process_message_and_flush",
    END_SESSION: "end_session",
  });
});

describe("start_session", () => {
  test("reads the context and the last 10 entries itself, and asks no model", async () => {
    await using bench = await openMemoryBench([]);
    const { store, vaultId, memoryId, agent } = bench;
    await store.putContext(vaultId, memoryId, "Anna likes tea.");
    for (let number = 1; number <= 12; number++) {
      const createdAt = `2026-05-${String(number).padStart(2, "0")}T10:00:00.000Z`;
      await store.addEntry(vaultId, memoryId, {
        ...{ rawEntry: `text ${number}`, summary: `summary ${number}`, tags: { role: "user" }, createdAt },
      });
    }
    const state = await agent.invoke("start_session", THREAD);
    expect(operations(bench)).toStrictEqual(["getContext", "listEntries"]);
    expect(bench.requests).toStrictEqual([]);
    const [context, entries, ...others] = state.conversation_history;
    expect(others).toStrictEqual([]);
    expect(context).toMatchObject({ role: "system", content: "Previous context:\nAnna likes tea." });
    expect(entries?.role).toBe("system");
    const lines = entries?.content.split("\n") ?? [];
    expect(lines[0]).toBe("Recent entries:");
    expect(lines.slice(1)).toHaveLength(10);
    expect(lines[1]).toBe("- 2026-05-12T10:00:00.000Z user: summary 12");
    expect(state).toMatchObject({ control: "start_session", to_process: [], tool_history: [] });
  });

  test("adds both messages even if there is nothing yet", async () => {
    await using bench = await openMemoryBench([]);
    const { conversation_history } = await bench.agent.invoke("start_session", THREAD);
    expect(conversation_history.map(({ content }) => content)).toStrictEqual([
      "Previous context:\n",
      "Recent entries:\n",
    ]);
  });
});

describe("process_message", () => {
  test("asks the model for add_entry alone and ends with its message", async () => {
    await using bench = await openMemoryBench([entryReply("Anna asks for tea", { topic: "tea" })]);
    const { agent, store, vaultId, memoryId } = bench;
    await agent.invoke("start_session", THREAD);
    bench.done.length = 0;
    const state = await agent.invoke("process_message", THREAD, user("Some tea, please"));
    expect(operations(bench)).toStrictEqual(["addEntry"]);
    expect(state.control).toBe("process_message");
    expect(state.to_process).toMatchObject([user("Some tea, please")]);
    expect(state.tool_history).toMatchObject([
      { type: "ai", tool_calls: [{ name: "add_entry", args: { summary: "Anna asks for tea" } }] },
      { type: "tool", name: "add_entry", content: "Entry added" },
      { type: "ai", content: "Message processed.", tool_calls: [] },
    ]);
    const entries = await store.listEntries(vaultId, memoryId);
    expect(entries).toMatchObject([
      { rawEntry: "Some tea, please", summary: "Anna asks for tea", tags: { topic: "tea", role: "user" } },
    ]);
  });

  test("stores the message's text regardless of the model, and cuts its summary", async () => {
    await using bench = await openMemoryBench([entryReply("s".repeat(600))]);
    await bench.agent.invoke("process_message", THREAD, user("my own words"));
    const [entry] = await bench.store.listEntries(bench.vaultId, bench.memoryId);
    expect(entry?.rawEntry).toBe("my own words");
    expect(entry?.summary).toHaveLength(512);
  });
});

test("process_message_and_flush adds the entry, awaits consistency itself and then saves the context", async () => {
  await using bench = await openMemoryBench([entryReply("tea"), contextReply("Anna wants tea.")]);
  await bench.agent.invoke("start_session", THREAD);
  bench.done.length = 0;
  const state = await bench.agent.invoke("process_message_and_flush", THREAD, user("Tea!"));
  expect(operations(bench)).toStrictEqual(["addEntry", "awaitConsistency", "putContext"]);
  expect(state.tool_history.map((message) => (message.type === "tool" ? message.name : message.content))).toStrictEqual(
    ["", "add_entry", "", "put_context", "Flushed to context."],
  );
  expect(await bench.store.getContext(bench.vaultId, bench.memoryId)).toBe("Anna wants tea.");
});

test("end_session awaits consistency itself and saves the context", async () => {
  await using bench = await openMemoryBench([contextReply("Nothing was said.")]);
  await bench.agent.invoke("start_session", THREAD);
  bench.done.length = 0;
  const state = await bench.agent.invoke("end_session", THREAD);
  expect(operations(bench)).toStrictEqual(["awaitConsistency", "putContext"]);
  expect(state.tool_history.at(-1)).toMatchObject({ type: "ai", content: "Session ended." });
});

test("the history accumulates chat messages alone; to_process and tool_history belong to one invocation", async () => {
  await using bench = await openMemoryBench([entryReply("one"), entryReply("two"), contextReply("all")]);
  const { agent } = bench;
  await agent.invoke("start_session", THREAD);
  await agent.invoke("process_message", THREAD, user("one"));
  const second = await agent.invoke("process_message", THREAD, assistant("two"));
  expect(second.conversation_history.map(({ role }) => role)).toStrictEqual(["system", "system", "user", "assistant"]);
  expect(second.to_process).toMatchObject([assistant("two")]);
  expect(second.tool_history).toHaveLength(3);
  const end = await agent.invoke("end_session", THREAD);
  expect(end.conversation_history).toHaveLength(4);
  expect(end.to_process).toStrictEqual([]);
});

test("threads are independent", async () => {
  await using bench = await openMemoryBench([entryReply("one"), entryReply("two")]);
  await bench.agent.invoke("process_message", "first", user("one"));
  const other = await bench.agent.invoke("process_message", "second", user("two"));
  expect(other.conversation_history).toMatchObject([user("two")]);
});

describe("the prompts", () => {
  test("that for add_entry has the prefix, the ids, the history but the message, the message and both rules", async () => {
    await using bench = await openMemoryBench([entryReply("one"), entryReply("two")]);
    const { agent, store, vaultId, memoryId, requests } = bench;
    await store.putContext(vaultId, memoryId, "Earlier.");
    await agent.invoke("start_session", THREAD);
    await agent.invoke("process_message", THREAD, user("one"));
    await agent.invoke("process_message", THREAD, assistant("two"));
    const { entryCapturePrompt, summaryPrompt } = await store.defaultPrompts("chat");
    expect(
      requests[1]?.system,
    ).toBe(`You are Mycelian's Memory Agent. Your job is to observe a conversation between a user and an AI Assistant and accurately store, retrieve and manage memories.

Current Operation: PROCESS_MESSAGE
Vault ID: ${vaultId}
Memory ID: ${memoryId}

Previous conversation context (including retrieved context from previous sessions):
system: Previous context:
Earlier.
system: Recent entries:

user: one

Current message to process:
Role: assistant
Content: two

INSTRUCTION: Call the add_entry tool for this single message following the rules below.

---
ENTRY CAPTURE RULES:
${entryCapturePrompt}

---
SUMMARY GENERATION RULES:
${summaryPrompt}
`);
    expect(requests[1]?.messages).toMatchObject([
      { role: "user", content: [{ type: "text", text: "Execute the required operation." }] },
    ]);
    expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toStrictEqual([
      ["add_entry", "put_context"],
      ["add_entry", "put_context"],
    ]);
  });

  test("that for put_context has the prefix, the ids, the whole history and the rules", async () => {
    await using bench = await openMemoryBench([entryReply("one"), contextReply("all")]);
    const { agent, store, vaultId, memoryId, requests } = bench;
    await agent.invoke("start_session", THREAD);
    await agent.invoke("process_message_and_flush", THREAD, user("one"));
    const { contextPrompt } = await store.defaultPrompts("chat");
    expect(
      requests[1]?.system,
    ).toBe(`You are Mycelian's Memory Agent. Your job is to observe a conversation between a user and an AI Assistant and accurately store, retrieve and manage memories.

Current Operation: CONTEXT_SYNTHESIS
Vault ID: ${vaultId}
Memory ID: ${memoryId}

Full conversation to synthesize into context:
system: Previous context:

system: Recent entries:

user: one

INSTRUCTION: Call the put_context tool to save a synthesized context document following the rules below.

---
CONTEXT MAINTENANCE RULES:
${contextPrompt}
`);
  });

  test.each([
    [
      "no message in a thread without history",
      "process_message",
      [],
      "No conversation history found - START_SESSION may have failed",
    ],
    ["no message", "process_message", ["start_session"], "No message to process"],
    ["an end without history", "end_session", [], "No conversation history to synthesize"],
  ] as const)("are refused for %s", async (_name, control, before, message) => {
    await using bench = await openMemoryBench([]);
    for (const state of before) await bench.agent.invoke(state, THREAD);
    const error = await bench.agent.invoke(control, THREAD).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MemoryAgentError);
    expect(error).toHaveProperty("message", message);
    expect(bench.requests).toStrictEqual([]);
  });
});

describe("a model that does not call as asked", () => {
  const call = (name: string, args: object) => ({ id: `${name}-${Math.random()}`, name, arguments: { ...args } });
  const wrong: readonly (readonly [string, Reply, string])[] = [
    ["calls no tool", { text: "Noted." }, "you called no tool"],
    ["calls another tool", contextReply("x"), "you called put_context"],
    [
      "calls several tools",
      { calls: [call("add_entry", { summary: "a" }), call("add_entry", { summary: "b" })] },
      "you called 2 tools (add_entry, add_entry)",
    ],
    [
      "leaves out the summary",
      { calls: [call("add_entry", { raw_entry: "x" })] },
      "add_entry needs a text as `summary`",
    ],
  ];

  test.each(wrong)("that %s is corrected once", async (_name, reply, problem) => {
    await using bench = await openMemoryBench([reply, entryReply("tea")]);
    await bench.agent.invoke("process_message", THREAD, user("Tea"));
    expect(JSON.stringify(bench.requests[1]?.messages)).toContain(problem);
    expect(await bench.store.listEntries(bench.vaultId, bench.memoryId)).toMatchObject([{ summary: "tea" }]);
  });

  test.each(wrong)("that %s twice is an error, and nothing is stored", async (_name, reply, problem) => {
    await using bench = await openMemoryBench([reply, reply, entryReply("next")]);
    const failing = bench.agent.invoke("process_message", THREAD, user("Tea"));
    const error = await failing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelCallError);
    expect(String(error)).toContain(problem);
    await bench.agent.invoke("process_message", THREAD, user("next"));
    expect(await bench.store.listEntries(bench.vaultId, bench.memoryId)).toMatchObject([{ rawEntry: "next" }]);
  });
});

test("secrets are taken out before a message is sent, journaled or stored", async () => {
  const redact = (text: string): string => text.replaceAll("sk-secret", "[redacted]");
  await using bench = await openMemoryBench(
    [entryReply("key sk-secret", { key: "sk-secret" }), contextReply("sk-secret")],
    {
      redact,
    },
  );
  await bench.agent.invoke("process_message_and_flush", THREAD, user("My key is sk-secret"));
  const entries = await bench.store.listEntries(bench.vaultId, bench.memoryId);
  expect(entries).toMatchObject([
    { rawEntry: "My key is [redacted]", summary: "key [redacted]", tags: { key: "[redacted]" } },
  ]);
  expect(await bench.store.getContext(bench.vaultId, bench.memoryId)).toBe("[redacted]");
  expect(JSON.stringify(bench.requests)).not.toContain("sk-secret");
  expect(await Bun.file(`${bench.folder}/threads/${THREAD}.jsonl`).text()).not.toContain("sk-secret");
});

import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type OpenDirectory, type OpenDirectoryOptions, openDirectory } from "@mdx-ai/directory";
import { ensureMemory, type MemoryEntry, openEmbeddedStore } from "@mdx-ai/memory";
import { contentText } from "../../../packages/runtime/src/content-text.ts";
import { writeFiles } from "../../support/agent-files.ts";
import { contextReply, entryReply } from "../../support/memory-bench.ts";
import { type Reply, scriptReference } from "../../support/replies.ts";
import { cliCommand } from "../../support/run-cli.ts";
import { type NotedSurroundings, surroundingsIn } from "../../support/surroundings.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

interface Home extends Disposable {
  readonly path: string;
  readonly surroundings: NotedSurroundings;
  /** Opens the agent with what it and its memory answer. */
  open(
    answers: readonly Reply[],
    remembering: readonly Reply[],
    options?: Partial<OpenDirectoryOptions>,
  ): Promise<OpenDirectory>;
}

/** A user with an agent that has a memory. */
function home(memory = "memory: on"): Home {
  const folder = temporaryDirectory();
  const path = join(folder.path, "agent");
  const surroundings: NotedSurroundings = {
    ...surroundingsIn(folder.path, { TEST_API_KEY: "a-very-secret-key-1234" }),
    toolHostCommand: cliCommand(["__tool-host"]),
  };
  const { signal } = new AbortController();
  return {
    ...{ path, surroundings },
    open: (answers, remembering, options = {}) => {
      const model = scriptReference(folder.path, remembering);
      const settings = memory === "memory: on" ? `memory: {model: "${model}"}` : memory;
      writeFiles(path, { "agent.mdx": `---\n${settings}\n---\n# Agent: Anna\n\n## Purpose\n\nHelps.\n` });
      const flags = { model: scriptReference(folder.path, answers) };
      const { run, ...others } = options;
      return openDirectory("agent", { surroundings, signal, ...others, run: { flags, isTrusted: true, ...run } });
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function say(text: string, { agent, session }: OpenDirectory): Promise<void> {
  for await (const event of agent.prompt(text, { session })) void event;
}

async function stored(path: string): Promise<{ readonly entries: readonly MemoryEntry[]; readonly context: unknown }> {
  const store = await openEmbeddedStore(join(path, "state/memory.db"));
  const { vaultId, memoryId } = await ensureMemory(store, {
    ...{ vault: "agent", memory: "conversations", memoryType: "chat" },
  });
  const entries = [...store.entries(vaultId, memoryId)];
  const context = await store.getContext(vaultId, memoryId);
  await store.close();
  return { entries, context };
}

const texts = (entries: readonly MemoryEntry[]): readonly string[] => entries.map(({ rawEntry }) => rawEntry);

describe("an agent with a memory", () => {
  test("remembers what was said, and begins the next session with it", async () => {
    using user = home();
    const first = await user.open(
      [{ text: "Noted." }],
      [entryReply("likes tea"), entryReply("notes"), contextReply("Tea!")],
    );
    await say("I like tea", first);
    await first.close();
    expect(await stored(user.path)).toMatchObject({
      context: "Tea!",
      entries: [
        { rawEntry: "I like tea", summary: "likes tea", tags: { role: "user", speaker: "user", session: "main" } },
        { rawEntry: "Noted.", summary: "notes", tags: { role: "assistant", speaker: "assistant" } },
      ],
    });
    const next = await user.open([{ text: "Tea." }], [], { run: { session: "other" } });
    await say("What do I like?", next);
    const [question, context, answer] = await next.agent.messages("other");
    expect(question).toMatchObject({ role: "user" });
    expect(context).toMatchObject({ role: "user", origin: "module" });
    const text = context?.role === "user" ? contentText(context.content) : "";
    expect(text).toStartWith(
      "From your memory of earlier conversations:\n\nPrevious context:\nTea!\n\nRecent entries:\n- ",
    );
    expect(text).toContain("user: likes tea");
    expect(answer).toMatchObject({ role: "assistant" });
    await next.close();
  });

  test("adds what is remembered to the first prompt of a session alone", async () => {
    using user = home();
    const first = await user.open([{ text: "Hi" }], [entryReply("a"), entryReply("b"), contextReply("Context.")]);
    await say("Hello", first);
    await first.close();
    const replies = Array(4).fill(entryReply("x"));
    const open = await user.open([{ text: "1" }, { text: "2" }], [...replies, contextReply("More.")], {
      run: { session: "two" },
    });
    await say("one", open);
    await say("two", open);
    const messages = await open.agent.messages("two");
    expect(messages.filter((message) => message.role === "user" && message.origin === "module")).toHaveLength(1);
    await open.close();
  });

  test("does not let the answer or the next prompt wait for what is being remembered", async () => {
    using user = home();
    const slow = { ...entryReply("slow"), delay: 60_000 };
    const open = await user.open([{ text: "1" }, { text: "2" }], [slow]);
    await say("one", open);
    await say("two", open);
    const pending = readdirSync(join(user.path, "state/remembering/pending"));
    expect(pending).toHaveLength(1);
    expect((await open.agent.messages()).filter(({ role }) => role === "assistant")).toHaveLength(2);
  });

  test("stores no keys", async () => {
    using user = home();
    const open = await user.open(
      [{ text: "I keep a-very-secret-key-1234." }],
      [entryReply("key a-very-secret-key-1234"), entryReply("b"), contextReply("a-very-secret-key-1234")],
    );
    await say("My key is a-very-secret-key-1234", open);
    await open.close();
    const { entries, context } = await stored(user.path);
    expect(JSON.stringify([entries, context])).not.toContain("a-very-secret-key");
    expect(texts(entries)).toStrictEqual(["My key is [redacted TEST_API_KEY]", "I keep [redacted TEST_API_KEY]."]);
  });

  test("marks what it said after it used tools", async () => {
    using user = home();
    const call = { id: "c1", name: "read_file", arguments: { path: "agent.mdx" } };
    const open = await user.open(
      [{ calls: [call] }, { text: "It says: Helps." }],
      [entryReply("asks"), entryReply("answers"), contextReply("c")],
    );
    await say("Read your file", open);
    await open.close();
    const { entries } = await stored(user.path);
    expect(entries.map(({ tags }) => tags["source"])).toStrictEqual([undefined, "tool:read_file"]);
  });

  test("keeps working when nothing can be remembered, with one warning", async () => {
    using user = home();
    const refused: Reply = { error: { message: "no credit", status: 402 } };
    const open = await user.open([{ text: "1" }, { text: "2" }], Array(10).fill(refused));
    await say("one", open);
    await say("two", open);
    await open.close();
    const warnings = user.surroundings.notices.map((notice) => ("text" in notice ? notice.text : ""));
    expect(warnings.filter((text) => text.includes("no credit"))).toStrictEqual(["not remembered: no credit"]);
    const again = await user.open(
      [],
      [entryReply("1"), entryReply("2"), entryReply("3"), entryReply("4"), contextReply("all")],
    );
    await again.close();
    expect(texts((await stored(user.path)).entries)).toStrictEqual(["one", "1", "two", "2"]);
  });

  test("has tools to search, add, list and forget", async () => {
    using user = home();
    const open = await user.open([], []);
    expect(open.agent.tools.map(({ name }) => name).slice(-4)).toStrictEqual([
      "memory_search",
      "memory_add",
      "memory_list",
      "memory_forget",
    ]);
    expect(open.agent.toolOrigins().get("memory_search")).toBe("module:memory");
    await open.close();
  });
});

test.each([
  ["that says nothing", "name: Anna"],
  ["that is switched off", "memory: off"],
])("an agent %s has no memory, and nothing of it is on disk", async (_name, memory) => {
  using user = home(memory);
  const open = await user.open([{ text: "Hi" }], []);
  await say("Hello", open);
  expect(open.agent.tools.some(({ name }) => name.startsWith("memory_"))).toBe(false);
  await open.close();
  expect(readdirSync(join(user.path, "state")).filter((name) => /memory|remember/.test(name))).toStrictEqual([]);
});

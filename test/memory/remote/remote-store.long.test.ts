import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openMcpConnection } from "@mdx-ai/mcp";
import {
  ensureMemory,
  MemoryAgent,
  MemoryInvoker,
  type MemoryStore,
  openRemoteStore,
  threadFiles,
} from "@mdx-ai/memory";
import { openModel } from "@mdx-ai/models";
import type { McpServerDefinition } from "@mdx-ai/parser";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { contextReply, entryReply } from "../../support/memory-bench.ts";
import { memoryService, newServiceData, type ServiceBuild, type ServiceData } from "../../support/memory-service.ts";
import { scriptReference } from "../../support/replies.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

interface RemoteBench extends AsyncDisposable {
  readonly store: MemoryStore;
  readonly data: ServiceData;
  /** Opens a store on the same service, as a later process has it. */
  another(): MemoryStore;
}

const storeOf = (server: McpServerDefinition): MemoryStore =>
  openRemoteStore(
    openMcpConnection({ name: "memory", server, baseDir: import.meta.dir, environment: { PATH: process.env["PATH"] } }),
  );

/** A service over HTTP. */
function serve(build: ServiceBuild): RemoteBench {
  const data = newServiceData();
  const handler = createMcpHandler(() => memoryService(build, data));
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => handler.fetch(request) });
  const opened: MemoryStore[] = [];
  const another = (): MemoryStore => {
    const store = storeOf({ transport: "http", url: `http://127.0.0.1:${server.port}/mcp` });
    opened.push(store);
    return store;
  };
  return {
    ...{ data, another, store: another() },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await server.stop(true);
    },
  };
}

const NAME = { vault: "notes", memory: "talks", memoryType: "chat" };

const builds: readonly ServiceBuild[] = ["first", "second"];

describe.each(builds)("the %s build of the memory service", (build) => {
  test("keeps vaults, memories, entries and contexts", async () => {
    await using bench = serve(build);
    const { store } = bench;
    const { vaultId, memoryId } = await ensureMemory(store, NAME);
    expect(await ensureMemory(store, NAME)).toMatchObject({ vaultId, memoryId });
    expect(await store.getMemory(vaultId, memoryId)).toMatchObject({ title: "talks", memoryType: "chat" });
    expect(await store.getContext(vaultId, memoryId)).toBeUndefined();
    expect(await store.listEntries(vaultId, memoryId)).toStrictEqual([]);
    await store.addEntry(vaultId, memoryId, { rawEntry: "Tea with Anna", summary: "tea", tags: { role: "user" } });
    await store.putContext(vaultId, memoryId, "Anna likes tea.");
    await store.awaitConsistency(memoryId);
    expect(await store.getContext(vaultId, memoryId)).toBe("Anna likes tea.");
    const [entry] = await store.listEntries(vaultId, memoryId);
    expect(entry).toMatchObject({ rawEntry: "Tea with Anna", summary: "tea", tags: { role: "user" } });
    expect(await store.getEntry(vaultId, memoryId, entry?.entryId ?? "")).toMatchObject({ summary: "tea" });
    expect(await store.getEntry(vaultId, memoryId, "nothing")).toBeUndefined();
    expect(await store.search(vaultId, memoryId, "who drinks tea?")).toMatchObject([{ entry: { summary: "tea" } }]);
    expect(await store.defaultPrompts("chat")).toStrictEqual({
      ...{ contextPrompt: "context of chat", entryCapturePrompt: "capture", summaryPrompt: "summarise" },
    });
  });

  test("receives arguments within the limits that it lists", async () => {
    await using bench = serve(build);
    const { store, data } = bench;
    const { vaultId, memoryId } = await ensureMemory(store, NAME);
    const entry = { rawEntry: "r".repeat(2000), summary: "s".repeat(600), tags: { note: "t".repeat(100) } };
    await store.addEntry(vaultId, memoryId, entry);
    await store.putContext(vaultId, memoryId, "c".repeat(60_000));
    await store.search(vaultId, memoryId, "anything", { limit: 100 });
    const args = (name: string) => data.calls.find(([tool]) => tool === name)?.[1] ?? {};
    expect(args("put_context")["content"]).toHaveLength(build === "first" ? 60_000 : 5_000);
    expect(args("add_entry")["summary"]).toHaveLength(build === "first" ? 600 : 512);
    expect(args("add_entry")["raw_entry"]).toHaveLength(build === "first" ? 2000 : 1000);
    const { memory_id: _memory, query: _query, ...counts } = args("search_memories");
    expect(counts).toStrictEqual(build === "first" ? { top_k: 100 } : { top_ke: 25, top_kc: 1 });
  });

  test("lists as many as asked for, in pages of the service's size", async () => {
    await using bench = serve(build);
    const { store, data } = bench;
    const { vaultId, memoryId } = await ensureMemory(store, NAME);
    for (let number = 1; number <= 60; number++) {
      const source = number % 20 === 0 ? { source: "tool:page" } : {};
      await store.addEntry(vaultId, memoryId, { rawEntry: `${number}`, summary: "", tags: source });
    }
    await store.awaitConsistency(memoryId);
    const texts = async (page: object): Promise<readonly string[]> =>
      (await store.listEntries(vaultId, memoryId, page)).map(({ rawEntry }) => rawEntry);
    expect(await texts({ limit: 40 })).toStrictEqual(Array.from({ length: 40 }, (_, index) => `${60 - index}`));
    data.calls.splice(0);
    // As many as the start of a session lists.
    expect(await texts({ limit: 10 })).toHaveLength(10);
    expect(data.calls.map(([name, args]) => [name, Number(args["limit"])])).toEqual([["list_entries", 10]]);
    expect(await texts({ source: "tool:page" })).toStrictEqual(["60", "40", "20"]);
    const times = data.memories[0]?.entries.map(({ creationTime }) => creationTime) ?? [];
    expect(await texts({ before: times[9], after: times[13] })).toStrictEqual(["50", "49", "48"]);
  });

  test("has an entry of one id once, over processes that were killed", async () => {
    await using bench = serve(build);
    const { vaultId, memoryId } = await ensureMemory(bench.store, NAME);
    const createdAt = "2023-05-08T13:56:00.000Z";
    const entry = { rawEntry: "once", summary: "s", entryId: "thread/1.1", createdAt };
    await bench.store.addEntry(vaultId, memoryId, entry);
    await bench.store.addEntry(vaultId, memoryId, entry);
    const later = bench.another();
    await later.addEntry(vaultId, memoryId, entry);
    await later.addEntry(vaultId, memoryId, { ...entry, entryId: "thread/1.2" });
    await later.awaitConsistency(memoryId);
    const entries = await later.listEntries(vaultId, memoryId);
    expect(entries).toMatchObject([
      { createdAt, tags: {} },
      { createdAt, tags: {} },
    ]);
  });

  test("refuses with a reason that its user can read", async () => {
    await using bench = serve(build);
    const { vaultId } = await ensureMemory(bench.store, NAME);
    const failures = [
      [
        bench.store.getMemory(vaultId, "nothing"),
        "unknown_memory",
        "the memory service memory: failed: memory not found",
      ],
      [bench.store.createVault({ title: "Not allowed" }), "invalid", /invalid title/],
      [bench.store.createVault({ title: "notes" }), "exists", /already exists/],
    ] as const;
    for (const [failing, problem, message] of failures) {
      const error: unknown = await failing.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: "MemoryStoreError", problem });
      expect(error instanceof Error ? error.message : "").toMatch(message);
    }
  });

  test("over stdio runs the whole protocol", async () => {
    using directory = temporaryDirectory();
    const program = join(import.meta.dir, "../../support/memory-service-process.ts");
    const store = storeOf({ transport: "stdio", command: process.execPath, args: [program, build] });
    const { vaultId, memoryId } = await ensureMemory(store, NAME);
    const replies = [entryReply("tea"), contextReply("Anna likes tea.")];
    const agent = new MemoryAgent({
      ...{ vaultId, memoryId, store, openThread: threadFiles(directory.path) },
      model: await openModel(scriptReference(directory.path, replies), { environment: {} }),
    });
    const invoker = new MemoryInvoker(agent);
    await invoker.startSession("talk");
    await invoker.processConversationMessage("user", "I like tea", "talk");
    await invoker.endSession("talk");
    await store.awaitConsistency(memoryId);
    expect(await store.listEntries(vaultId, memoryId)).toMatchObject([{ rawEntry: "I like tea", summary: "tea" }]);
    expect(await store.getContext(vaultId, memoryId)).toBe("Anna likes tea.");
    await agent.close();
    await store.close();
  });
});

test("a service that cannot be reached is unavailable", async () => {
  const store = storeOf({ transport: "stdio", command: "/no/such/program" });
  const error: unknown = await store.listVaults().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "MemoryStoreError", problem: "unavailable" });
  await store.close();
});

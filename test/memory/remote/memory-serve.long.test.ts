import { expect, test } from "bun:test";
import { openMcpConnection } from "@mdx-ai/mcp";
import { ensureMemory, type MemoryStore, openRemoteStore } from "@mdx-ai/memory";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import { cliCommand, cliEnvironment } from "../../support/run-cli.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { storeSuite } from "../store-suite.ts";

/** The store of an agent in a folder, as `mdx-ai memory AGENT serve` serves it. */
function servedStore(folder: string): MemoryStore {
  writeFiles(folder, { "agent/agent.mdx": MINIMAL_AGENT });
  const [command = "", ...args] = cliCommand(["memory", "agent", "serve"]);
  const server = { transport: "stdio", command, args } as const;
  const environment = cliEnvironment({ home: folder });
  return openRemoteStore(openMcpConnection({ name: "memory", server, baseDir: folder, environment }));
}

storeSuite("remote store on the embedded one", async () => {
  const folder = temporaryDirectory();
  const store = servedStore(folder.path);
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
});

test("a remote store speaks to mdx-ai memory serve", async () => {
  using folder = temporaryDirectory();
  const store = servedStore(folder.path);
  const { vaultId, memoryId } = await ensureMemory(store, { vault: "v", memory: "m", memoryType: "chat" });
  const entry = { rawEntry: "Tea with Anna", summary: "tea", entryId: "e1", createdAt: "2023-05-08T13:56:00.000Z" };
  await store.addEntry(vaultId, memoryId, entry);
  await store.addEntry(vaultId, memoryId, entry);
  await store.awaitConsistency(memoryId);
  expect(await store.listEntries(vaultId, memoryId)).toMatchObject([entry]);
  expect(await store.search(vaultId, memoryId, "Anna")).toMatchObject([{ entry }]);
  await store.close();
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { findMemory, openEmbeddedStore } from "@mdx-ai/memory";
import { writeFiles } from "../../support/agent-files.ts";
import { embeddingServer } from "../../support/embedding-server.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("mdx-ai memory uses the memory of the agent's settings, unless the command line names another", async () => {
  using home = temporaryDirectory();
  const agent = join(home.path, "agent");
  writeFiles(agent, {
    "agent.mdx": "---\nmemory: {vault: home, memory: talks}\n---\n# Agent: Anna\n\n## Purpose\n\nHelps.\n",
  });
  const add = (text: string, ...options: readonly string[]) =>
    runCommandLine(["memory", agent, "add", text, ...options], { home: home.path });
  expect(await add("I like tea")).toMatchObject({ exitCode: 0 });
  expect(await add("I like coffee", "--memory", "notes")).toMatchObject({ exitCode: 0 });
  const store = await openEmbeddedStore(join(agent, "state/memory/memory.db"));
  const texts = async (memory: string): Promise<readonly string[]> => {
    const found = await findMemory(store, { vault: "home", memory, memoryType: "chat" });
    const entries = found ? await store.listEntries(found.vaultId, found.memoryId) : [];
    return entries.map(({ rawEntry }) => rawEntry);
  };
  expect(await texts("talks")).toStrictEqual(["I like tea"]);
  expect(await texts("notes")).toStrictEqual(["I like coffee"]);
  await store.close();
});

test("mdx-ai memory finds entries by the vectors of the agent's embedding model, and says what keeps it from that", async () => {
  using home = temporaryDirectory();
  using server = embeddingServer();
  const agent = join(home.path, "agent");
  writeFiles(agent, {
    "agent.mdx": "---\nmemory: {embeddings: ollama/tiny}\n---\n# Agent: Anna\n\n## Purpose\n\nHelps.\n",
    "talks.jsonl": '{"id": "a", "text": "The cello, since she was six."}\n{"id": "b", "text": "Nice weather."}\n',
  });
  const memory = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runCommandLine(["memory", agent, ...args], {
      home: home.path,
      environment: { ...server.environment, ...environment },
    });
  expect(await memory(["import", join(agent, "talks.jsonl")])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(server.requests).toHaveLength(1);
  const found = await memory(["search", "instrument", "--limit", "1"]);
  expect([found.stderr, found.stdout]).toEqual(["", expect.stringContaining("The cello")]);
  const failed = await memory(["search", "cello", "--limit", "1"], { OLLAMA_BASE_URL: "http://127.0.0.1:1/v1" });
  expect(failed.stdout).toContain("The cello");
  expect(failed.stderr).toMatch(/^mdx-ai: warning: the memory searches by words alone: .*127\.0\.0\.1:1.*\n$/);
});

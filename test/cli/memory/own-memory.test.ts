import { expect, test } from "bun:test";
import { join } from "node:path";
import { findMemory, openEmbeddedStore } from "@mdx-ai/memory";
import { writeFiles } from "../../support/agent-files.ts";
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

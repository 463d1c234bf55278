// Adds entries to a store, one after the other, until it is killed, and prints the id of each as soon as it is acknowledged.
import { writeSync } from "node:fs";
import { ensureMemory, openEmbeddedStore } from "@mdx-ai/memory";

const [path = "", prefix = ""] = process.argv.slice(2);
const store = await openEmbeddedStore(path);
const { vaultId, memoryId } = await ensureMemory(store, { vault: "Home", memory: "Talks", memoryType: "chat" });
for (let at = 0; ; at++) {
  const entryId = `${prefix}-${at}`;
  const tags = { session: prefix };
  await store.addEntry(vaultId, memoryId, {
    rawEntry: `What ${prefix} said about word${at}`,
    summary: "",
    entryId,
    tags,
  });
  writeSync(1, `${entryId}\n`);
}

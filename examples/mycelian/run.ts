// The runner of the clean agent protocol, over a recorded conversation: `run.ts [FOLDER]`. The model is a script, and nothing leaves
// this machine. A run that is cut short continues when it is started again with the same folder.
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureMemory, MemoryAgent, MemoryInvoker, openEmbeddedStore, threadFiles } from "@mdx-ai/memory";
import { openModel } from "@mdx-ai/models";

interface Conversation {
  readonly thread: string;
  readonly sessions: readonly {
    readonly date: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  }[];
}

const { thread, sessions }: Conversation = await Bun.file(join(import.meta.dir, "conversation.json")).json();

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), "mycelian-"));
mkdirSync(folder, { recursive: true });

const store = await openEmbeddedStore(join(folder, "memory.db"));
const { vaultId, memoryId } = await ensureMemory(store, { vault: "mycelian", memory: "walks", memoryType: "chat" });
const agent = new MemoryAgent({
  vaultId,
  memoryId,
  store,
  model: await openModel(`script:${join(import.meta.dir, "model.jsonl")}`),
  openThread: threadFiles(join(folder, "threads")),
});
const invoker = new MemoryInvoker(agent);

for (const { date, messages } of sessions) {
  await invoker.startSession(thread);
  for (const { role, content } of messages) {
    await invoker.processConversationMessage(role, content, thread, { at: date });
  }
  await invoker.endSession(thread);
}

const entries = await store.listEntries(vaultId, memoryId, { limit: 50 });
console.log(`${entries.length} entries, the newest first:`);
for (const { createdAt, tags, summary } of entries)
  console.log(`${createdAt.slice(0, 10)} ${tags["role"]}: ${summary}`);
console.log(`\nThe context:\n${await store.getContext(vaultId, memoryId)}`);
await agent.close();
await store.close();

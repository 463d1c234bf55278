import { expect, test } from "bun:test";
import { join } from "node:path";
import { ensureMemory, openEmbeddedStore } from "@mdx-ai/memory";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** `MDX_AI_MEMORY_KILLS=30 npm test -- test/memory/killed-writers.test.ts` kills more often. */
const KILLS = Number(process.env["MDX_AI_MEMORY_KILLS"] ?? 3);

test(
  "what was acknowledged is there after processes that wrote side by side were killed",
  async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "memory.db");
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round++) {
      const writers = ["a", "b"].map((name) => killedWriter(path, `${name}${round}`, 5 + ((round * 13) % 40)));
      acknowledged.push(...(await Promise.all(writers)).flat());
    }
    const store = await openEmbeddedStore(path);
    const { vaultId, memoryId } = await ensureMemory(store, { vault: "Home", memory: "Talks", memoryType: "chat" });
    const kept = new Set([...store.entries(vaultId, memoryId)].map(({ entryId }) => entryId));
    expect(acknowledged.filter((id) => !kept.has(id))).toStrictEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * 10);
    expect(await store.verify()).toStrictEqual([]);
    const found = await store.search(vaultId, memoryId, "What a0 said about word3");
    expect(found[0]?.entry.entryId).toBe("a0-3");
    await store.close();
  },
  KILLS * 20_000,
);

/** The ids that a writer acknowledged before it was killed, which is after so many of them. */
async function killedWriter(path: string, prefix: string, count: number): Promise<readonly string[]> {
  const script = join(import.meta.dir, "../support/memory-writer-process.ts");
  const child = Bun.spawn([process.execPath, script, path, prefix], { stdout: "pipe", stderr: "inherit" });
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of child.stdout) {
    text += decoder.decode(part, { stream: true });
    if (text.split("\n").length > count) child.kill("SIGKILL");
  }
  await child.exited;
  return text.split("\n").slice(0, -1);
}

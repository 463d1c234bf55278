import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureMemory, openEmbeddedStore } from "@mdx-ai/memory";
import type { Conversation } from "./conversations.ts";
import { plainSearch } from "./plain-search.ts";

/** How many of the first results are looked at. */
export const DEPTHS = [5, 10, 20] as const;

/** For each depth, the share of a question's evidence among the first results, as a mean over the questions. */
export type Recall = readonly number[];

export interface RecallReport {
  readonly questions: number;
  readonly plain: Recall;
  readonly found: Recall;
}

/** Measures the search of the embedded store, and plain BM25 beside it, each conversation in a memory of its own. */
export async function measureRecall(conversations: readonly Conversation[]): Promise<RecallReport> {
  const folder = await mkdtemp(join(tmpdir(), "mdx-ai-recall-"));
  try {
    const plain: Recall[] = [];
    const found: Recall[] = [];
    for (const [at, conversation] of conversations.entries()) {
      const ranked = plainSearch(conversation);
      const search = await storeSearch(conversation, join(folder, `${at}.db`));
      for (const { question, evidence } of conversation.questions) {
        plain.push(recallOf(ranked(question), evidence));
        found.push(recallOf(await search.find(question), evidence));
      }
      await search.close();
    }
    return { questions: plain.length, plain: mean(plain), found: mean(found) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface StoreSearch {
  find(question: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Questions are asked at the end of the conversation. */
async function storeSearch({ id, entries }: Conversation, path: string): Promise<StoreSearch> {
  const store = await openEmbeddedStore(path);
  const { vaultId, memoryId } = await ensureMemory(store, { vault: "bench", memory: id, memoryType: "chat" });
  await store.addEntries(vaultId, memoryId, entries);
  const options = { limit: DEPTHS[2], now: entries.at(-1)?.createdAt ?? "2000-01-01" };
  return {
    find: async (question) =>
      (await store.search(vaultId, memoryId, question, options)).map(({ entry }) => entry.entryId),
    close: () => store.close(),
  };
}

const recallOf = (ids: readonly string[], evidence: readonly string[]): Recall =>
  DEPTHS.map((depth) => {
    const first = new Set(ids.slice(0, depth));
    return evidence.filter((id) => first.has(id)).length / evidence.length;
  });

const mean = (recalls: readonly Recall[]): Recall =>
  DEPTHS.map((_, at) => recalls.reduce((sum, recall) => sum + (recall[at] ?? 0), 0) / recalls.length);

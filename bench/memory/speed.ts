import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMcpConnection } from "@mdx-ai/mcp";
import { ensureMemory, type MemoryStore, type NewEntry, openEmbeddedStore, openRemoteStore } from "@mdx-ai/memory";
import { median } from "../median.ts";
import { quietMoment } from "../quiet-moment.ts";
import { createSentences } from "./sentences.ts";

const ENTRIES = 100_000;
const PART = 1_000;
const QUERIES = 300;
const ADDED = 300;
const OPENED = 15;

interface Promised {
  readonly title: string;
  readonly milliseconds: number;
  readonly limit: number;
}

/** Measures a store of 100,000 entries. Returns the exit code: 1 if a promise is broken. */
export async function measureSpeed(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "mdx-ai-memory-"));
  try {
    const path = join(folder, "state/memory/memory.db");
    await mkdir(join(folder, "state/memory"), { recursive: true });
    await Bun.write(join(folder, "agent.mdx"), "# Agent: A\n\n## Purpose\n\nRemember.\n");
    const figures = [...(await fill(path)), ...(await use(path)), ...(await serve(folder))];
    for (const { title, milliseconds, limit } of figures) {
      const state = milliseconds <= limit ? "holds" : "BROKEN";
      console.log(`${title.padEnd(44)} ${milliseconds.toFixed(2).padStart(9)} ms   at most ${limit} ms   ${state}`);
    }
    return figures.every(({ milliseconds, limit }) => milliseconds <= limit) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NAME = { vault: "bench", memory: "all", memoryType: "chat" };

async function fill(path: string): Promise<readonly Promised[]> {
  const sentences = createSentences(1);
  const store = await openEmbeddedStore(path);
  const { vaultId, memoryId } = await ensureMemory(store, NAME);
  const start = performance.now();
  for (let first = 0; first < ENTRIES; first += PART) {
    const entries = Array.from({ length: PART }, (_, at) => entryOf(sentences.text(), first + at));
    await store.addEntries(vaultId, memoryId, entries);
  }
  const milliseconds = performance.now() - start;
  await store.close();
  return [{ title: "adding 100,000 entries by the thousand", milliseconds, limit: 20_000 }];
}

/** Conversations of thirty turns, one a day. */
const entryOf = (rawEntry: string, at: number): NewEntry => ({
  rawEntry,
  summary: "",
  entryId: `e${at}`,
  createdAt: new Date(Date.UTC(2015, 0, 1) + Math.floor(at / 30) * 86_400_000 + (at % 30) * 60_000).toISOString(),
  tags: { speaker: at % 2 === 0 ? "Anna" : "Bert", session: `s${Math.floor(at / 30)}` },
});

async function use(path: string): Promise<readonly Promised[]> {
  const opening = await times(OPENED, async () => (await openEmbeddedStore(path)).close());
  const store = await openEmbeddedStore(path);
  const searching = await searches(store);
  const { vaultId, memoryId } = await ensureMemory(store, NAME);
  const sentences = createSentences(3);
  await quietMoment();
  const adding = await times(ADDED, () =>
    store.addEntry(vaultId, memoryId, { rawEntry: sentences.text(), summary: "", tags: { session: "now" } }),
  );
  await store.close();
  return [
    { title: "search, median", milliseconds: median(searching), limit: 5 },
    { title: "search, 95 %", milliseconds: percentile(searching, 0.95), limit: 25 },
    { title: "adding one entry, on the disk, median", milliseconds: median(adding), limit: 2 },
    { title: "opening, median", milliseconds: median(opening), limit: 30 },
  ];
}

/** The same searches through `mdx-ai memory DIR serve`. */
async function serve(folder: string): Promise<readonly Promised[]> {
  const args = ["--no-env-file", "--no-install", join(import.meta.dir, "../../packages/cli/src/main.ts")];
  const server = { transport: "stdio", command: process.execPath, args: [...args, "memory", folder, "serve"] } as const;
  const environment = { ...process.env, HOME: folder };
  const store = openRemoteStore(openMcpConnection({ name: "memory", server, baseDir: folder, environment }));
  await searches(store);
  const searching = await searches(store);
  await store.close();
  return [{ title: "search through serve, median", milliseconds: median(searching), limit: 5 }];
}

async function searches(store: MemoryStore): Promise<readonly number[]> {
  const { vaultId, memoryId } = await ensureMemory(store, NAME);
  const sentences = createSentences(2);
  await quietMoment();
  return times(QUERIES, () => store.search(vaultId, memoryId, sentences.question()));
}

async function times(count: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const found: number[] = [];
  for (let round = 0; round < count; round++) {
    const start = performance.now();
    await work();
    found.push(performance.now() - start);
  }
  return found;
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

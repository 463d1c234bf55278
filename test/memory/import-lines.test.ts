import { expect, test } from "bun:test";
import { join } from "node:path";
import { DEFAULT_MEMORY, ensureMemory, importLines, openEmbeddedStore } from "@mdx-ai/memory";
import { temporaryDirectory } from "../support/temporary-directory.ts";

async function* lines(count: number): AsyncGenerator<string> {
  for (let at = 0; at < count; at++) yield `{"text": "Entry ${at}"}`;
}

test("an import hears that it is to stop while it is busy, and is completed by the next", async () => {
  using folder = temporaryDirectory();
  const store = await openEmbeddedStore(join(folder.path, "memory.db"));
  const memory = await ensureMemory(store, DEFAULT_MEMORY);
  const stop = new AbortController();
  // As a signal of the system: it is handled only when nothing else runs.
  setImmediate(() => stop.abort());
  const first = await importLines(store, memory, lines(5_000), { signal: stop.signal, onBroken: () => {} });
  expect(first.added).toBeWithin(1, 5_000);
  const second = await importLines(store, memory, lines(5_000), { onBroken: () => {} });
  expect([second.existing, second.added]).toStrictEqual([first.added, 5_000 - first.added]);
  await store.close();
});

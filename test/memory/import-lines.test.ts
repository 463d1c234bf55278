import { expect, test } from "bun:test";
import { join } from "node:path";
import { DEFAULT_MEMORY, ensureMemory, importLines, openEmbeddedStore, readLines } from "@mdx-ai/memory";
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

test("a line that is not valid UTF-8 is broken, and the others are read, wherever chunks end", async () => {
  const text = Buffer.concat([
    Buffer.from('\uFEFF{"text": "tea: 茶"}\r\n\n{"text": "caf'),
    Buffer.from([0xe9]),
    Buffer.from('"}\n\uFEFF{}\n{"text": "last \uFFFD"}'),
  ]);
  const read = ['{"text": "tea: 茶"}', "", undefined, "\uFEFF{}", '{"text": "last \uFFFD"}'];
  for (const size of [1, 2, 7, text.length]) expect(await Array.fromAsync(readLines(chunks(text, size)))).toEqual(read);
  using folder = temporaryDirectory();
  const store = await openEmbeddedStore(join(folder.path, "memory.db"));
  const memory = await ensureMemory(store, DEFAULT_MEMORY);
  const broken: number[] = [];
  const onBroken = ({ line }: { readonly line: number }): unknown => broken.push(line);
  const { added } = await importLines(store, memory, readLines(chunks(text, 7)), { onBroken });
  expect({ added, broken }).toEqual({ added: 2, broken: [3, 4] });
  await store.close();
});

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

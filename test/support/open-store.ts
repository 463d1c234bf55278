import { join } from "node:path";
import {
  type EmbeddedMemoryStore,
  type EmbeddedStoreOptions,
  ensureMemory,
  type NewEntry,
  openEmbeddedStore,
} from "@mdx-ai/memory";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A store in a folder of its own, both removed when the test ends. */
export interface EmptyStore extends AsyncDisposable {
  readonly store: EmbeddedMemoryStore;
  readonly folder: string;
  readonly path: string;
}

export interface TemporaryStore extends EmptyStore {
  /** The ids of a memory in it. */
  readonly ids: readonly [vaultId: string, memoryId: string];
}

/** The same with a vault and a memory. */
export async function temporaryStore(options: EmbeddedStoreOptions = {}): Promise<TemporaryStore> {
  const empty = await emptyStore(options);
  const name = { vault: "Home", memory: "Talks", memoryType: "chat" };
  const { vaultId, memoryId } = await ensureMemory(empty.store, name);
  return { ...empty, ids: [vaultId, memoryId] };
}

export async function emptyStore(options: EmbeddedStoreOptions = {}): Promise<EmptyStore> {
  const folder = temporaryDirectory();
  const path = join(folder.path, "memory.db");
  const store = await openEmbeddedStore(path, options);
  return {
    store,
    folder: folder.path,
    path,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

/** An entry that is only text, unless more is said. */
export const entry = (text: string, more: Partial<NewEntry> = {}): NewEntry => ({
  rawEntry: text,
  summary: "",
  ...more,
});

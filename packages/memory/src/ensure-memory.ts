import type { MemoryStore, VaultMemory } from "./memory-store.ts";
import { MemoryStoreError } from "./memory-store-error.ts";

/** The memory of an agent that names none. */
export const DEFAULT_MEMORY: MemoryName = { vault: "agent", memory: "conversations", memoryType: "chat" };

/** A memory as people name it. */
export interface MemoryName {
  /** The id or the title of the vault. */
  readonly vault: string;
  /** The id or the title of the memory. */
  readonly memory: string;
  /** Of the memory if it must be created. */
  readonly memoryType: string;
}

/** The memory of a name; undefined if there is none. Rejects as the store does. */
export async function findMemory(store: MemoryStore, name: MemoryName): Promise<VaultMemory | undefined> {
  const vaults = await store.listVaults();
  const vault =
    vaults.find(({ vaultId }) => vaultId === name.vault) ?? vaults.find(({ title }) => title === name.vault);
  if (vault === undefined) return undefined;
  const memories = await store.listMemories(vault.vaultId);
  return (
    memories.find(({ memoryId }) => memoryId === name.memory) ?? memories.find(({ title }) => title === name.memory)
  );
}

/** The same, created with its vault if it does not exist. Several processes may call this at once. */
export async function ensureMemory(store: MemoryStore, name: MemoryName): Promise<VaultMemory> {
  const found = await findMemory(store, name);
  if (found !== undefined) return found;
  const vaults = await store.listVaults();
  const vault =
    vaults.find(({ vaultId, title }) => vaultId === name.vault || title === name.vault) ??
    (await unlessExists(store.createVault({ title: name.vault })));
  if (vault !== undefined) {
    const made = await unlessExists(
      store.createMemory(vault.vaultId, { title: name.memory, memoryType: name.memoryType }),
    );
    if (made !== undefined) return made;
  }
  // Another process created it in between.
  return ensureMemory(store, name);
}

async function unlessExists<Made>(making: Promise<Made>): Promise<Made | undefined> {
  try {
    return await making;
  } catch (error) {
    if (error instanceof MemoryStoreError && error.problem === "exists") return undefined;
    throw error;
  }
}

import type { MemoryStore, VaultMemory } from "./memory-store.ts";
import { MemoryStoreError } from "./memory-store-error.ts";

/** The memory of an agent whose settings name none. */
export const DEFAULT_MEMORY: MemoryName = { vault: "agent", memory: "conversations", memoryType: "chat" };

/** Names a memory. */
export interface MemoryName {
  /** The vault's id or title. */
  readonly vault: string;
  /** The memory's id or title. */
  readonly memory: string;
  /** The type of the memory if it is created. */
  readonly memoryType: string;
}

/** The named memory; undefined if it does not exist. Rejects as the store does. */
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

/** The named memory. Creates it and its vault if they do not exist. Safe to call from several processes at once. */
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
  // Another process created it in the meantime.
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

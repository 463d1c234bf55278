import { dataLayout, type Environment, failureOf } from "@mdx-ai/base";
import { makePrivateFolder } from "@mdx-ai/base/disk";
import type { MemoryPlace, MemoryStore } from "@mdx-ai/memory";
import type { MemorySettings } from "@mdx-ai/parser";

/** An open memory. */
export interface MemoryAccess extends MemoryPlace {
  readonly store: MemoryStore;
  readonly memoryType: string;
}

export interface MemoryAccessOptions {
  readonly settings: MemorySettings;
  /** Absolute. */
  readonly agentDir: string;
  /** With `state/`. Absolute. */
  readonly dataDirectory: string;
  readonly environment: Environment;
  readonly redact: (text: string) => string;
  readonly onWarning: (message: string) => void;
}

/** Opens the memory of an agent; creates it if missing. Rejects with `MemoryStoreError`. */
export async function openMemory(options: MemoryAccessOptions): Promise<MemoryAccess> {
  const { DEFAULT_MEMORY, ensureMemory } = await import("@mdx-ai/memory");
  const { vault = DEFAULT_MEMORY.vault, memory = DEFAULT_MEMORY.memory } = options.settings;
  const store = await openStore(options);
  try {
    const { vaultId, memoryId, memoryType } = await ensureMemory(store, { ...DEFAULT_MEMORY, vault, memory });
    return { store, vaultId, memoryId, memoryType: memoryType === "" ? DEFAULT_MEMORY.memoryType : memoryType };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openStore(options: MemoryAccessOptions): Promise<MemoryStore> {
  const { settings, agentDir, dataDirectory, environment, redact, onWarning } = options;
  const { store: server = "embedded" } = settings;
  const { MemoryStoreError, openEmbeddedStore, openRemoteStore } = await import("@mdx-ai/memory");
  if (server === "embedded") {
    const { state, memoryFolder, memoryStore } = dataLayout(dataDirectory);
    for (const folder of [state, memoryFolder]) {
      try {
        makePrivateFolder(folder);
      } catch (cause) {
        throw new MemoryStoreError("unavailable", failureOf(`cannot make the folder ${folder}`, cause), { cause });
      }
    }
    const { embeddings: model } = settings;
    const { vectorOptions } = await import("@mdx-ai/memory");
    const vectors = model === undefined ? undefined : await vectorOptions(model, { environment, onWarning });
    return openEmbeddedStore(memoryStore, { redact, vectors });
  }
  if (settings.embeddings !== undefined)
    onWarning("memory.embeddings has no effect: the memory is that of a service, which searches by itself");
  const { openMcpConnection } = await import("@mdx-ai/mcp");
  const connection = openMcpConnection({ name: "memory", server, baseDir: agentDir, environment, onWarning });
  return openRemoteStore(connection, { redact });
}

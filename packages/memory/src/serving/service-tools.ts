import { defined, type JsonObject } from "@mdx-ai/base";
import { LIMITS } from "../limits.ts";
import type { MemoryStore } from "../memory-store.ts";
import { entryReport, type GivenArguments, listReport, memoryReport, vaultReport } from "./service-values.ts";

/** A tool of the memory service. */
export interface ServiceTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly isReadOnly: boolean;
  /** Resolves to the answer's text, or to a value to send as JSON. Rejects with `MemoryStoreError`. */
  run(store: MemoryStore, given: GivenArguments, vaultOf: FindVault): Promise<string | JsonObject>;
}

/** Finds the vault of a memory. Rejects with `NotFoundError` if there is no such memory. */
export type FindVault = (memoryId: string) => Promise<string>;

const text = (description: string, maxLength: number = LIMITS.id): JsonObject => ({
  type: "string",
  description,
  minLength: 1,
  maxLength,
});
const VAULT = { vault_id: text("The id of the vault") };
const MEMORY = { memory_id: text("The id of the memory") };
const TITLE = { title: text("A unique title", LIMITS.title) };
const DESCRIPTION = { description: { type: "string", maxLength: LIMITS.description } };
const TIME = { type: "string", description: "A time in ISO 8601" };

const object = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** The tools of the memory service, with its names and arguments. */
export const SERVICE_TOOLS: readonly ServiceTool[] = [
  {
    name: "create_vault",
    description: "Creates a vault, a collection of memories.",
    inputSchema: object({ vault_id: text("An id for the vault"), ...TITLE, ...DESCRIPTION }, [
      "vault_id",
      "description",
    ]),
    isReadOnly: false,
    run: async (store, given) =>
      vaultReport(
        await store.createVault({
          title: given.text("title"),
          ...defined({ vaultId: given.optionalText("vault_id"), description: given.optionalText("description") }),
        }),
      ),
  },
  {
    name: "list_vaults",
    description: "Lists all vaults.",
    inputSchema: object({}),
    isReadOnly: true,
    run: async (store) => listReport("vaults", (await store.listVaults()).map(vaultReport)),
  },
  {
    name: "list_memories",
    description: "Lists the memories of a vault.",
    inputSchema: object(VAULT),
    isReadOnly: true,
    run: async (store, given) =>
      listReport("memories", (await store.listMemories(given.text("vault_id"))).map(memoryReport)),
  },
  {
    name: "create_memory_in_vault",
    description: "Creates a memory in a vault.",
    inputSchema: object({ ...VAULT, ...TITLE, memory_type: text("Such as chat"), ...DESCRIPTION }, ["description"]),
    isReadOnly: false,
    run: async (store, given) =>
      memoryReport(
        await store.createMemory(given.text("vault_id"), {
          title: given.text("title"),
          memoryType: given.text("memory_type"),
          ...defined({ description: given.optionalText("description") }),
        }),
      ),
  },
  {
    name: "get_memory",
    description: "Shows a memory.",
    inputSchema: object({ ...VAULT, ...MEMORY }),
    isReadOnly: true,
    run: async (store, given) => memoryReport(await store.getMemory(...given.memory())),
  },
  {
    name: "add_entry",
    description: "Adds an entry to a memory. Entries are never changed.",
    inputSchema: object(
      {
        ...VAULT,
        ...MEMORY,
        raw_entry: text("The text, complete and unchanged", LIMITS.rawEntry),
        summary: { type: "string", description: "A summary of at most 512 characters", maxLength: LIMITS.summary },
        tags: { type: "object", description: "Text values by name, such as role and topic" },
        entry_id: text("An id for the entry; an entry with this id is added only once"),
        conversation_time: { ...TIME, description: "When it was said, in ISO 8601; default: now" },
      },
      ["tags", "entry_id", "conversation_time"],
    ),
    isReadOnly: false,
    run: async (store, given) => {
      await store.addEntry(...given.memory(), {
        rawEntry: given.text("raw_entry"),
        summary: given.text("summary"),
        tags: given.tags("tags"),
        ...defined({ entryId: given.optionalText("entry_id"), createdAt: given.optionalText("conversation_time") }),
      });
      return "enqueued";
    },
  },
  {
    name: "list_entries",
    description: "Lists the entries of a memory, newest first.",
    inputSchema: object(
      {
        ...VAULT,
        ...MEMORY,
        limit: { type: "integer", minimum: 1, maximum: LIMITS.listMost, default: LIMITS.listDefault },
        before: TIME,
        after: TIME,
      },
      ["limit", "before", "after"],
    ),
    isReadOnly: true,
    run: async (store, given) => {
      const page = defined({
        limit: given.optionalNumber("limit"),
        before: given.optionalText("before"),
        after: given.optionalText("after"),
      });
      const entries = await store.listEntries(...given.memory(), page);
      return listReport("entries", entries.map(entryReport));
    },
  },
  {
    name: "get_entry",
    description: "Shows an entry.",
    inputSchema: object({ ...VAULT, ...MEMORY, entry_id: text("The id of the entry") }),
    isReadOnly: true,
    run: async (store, given) => {
      const entry = await store.getEntry(...given.memory(), given.text("entry_id"));
      if (entry === undefined) throw new NotFoundError("entry not found");
      return entryReport(entry);
    },
  },
  {
    name: "put_context",
    description: "Stores a context document. Earlier ones are kept; the newest counts.",
    inputSchema: object({
      ...VAULT,
      ...MEMORY,
      content: { type: "string", description: "The document", maxLength: LIMITS.context },
    }),
    isReadOnly: false,
    run: async (store, given) => {
      await store.putContext(...given.memory(), given.text("content"));
      return "enqueued";
    },
  },
  {
    name: "get_context",
    description: "Shows the newest context document.",
    inputSchema: object({ ...VAULT, ...MEMORY }),
    isReadOnly: true,
    run: async (store, given) => {
      const context = await store.getContext(...given.memory());
      if (context === undefined) throw new NotFoundError("context not found");
      return context;
    },
  },
  {
    name: "await_consistency",
    description: "Waits until all added entries can be found.",
    inputSchema: object(MEMORY),
    isReadOnly: true,
    run: async (store, given) => {
      await store.awaitConsistency(given.text("memory_id"));
      return "consistent";
    },
  },
  {
    name: "search_memories",
    description: "Finds the entries of a memory that best match a question, best first.",
    inputSchema: object(
      {
        ...MEMORY,
        query: { type: "string", description: "A question, or words" },
        top_k: { type: "integer", minimum: 1, maximum: LIMITS.searchMost, default: LIMITS.searchDefault },
      },
      ["top_k"],
    ),
    isReadOnly: true,
    run: async (store, given, vaultOf) => {
      const memoryId = given.text("memory_id");
      const vaultId = await vaultOf(memoryId);
      const found = await store.search(
        vaultId,
        memoryId,
        given.text("query"),
        defined({ limit: given.optionalNumber("top_k") }),
      );
      return listReport(
        "entries",
        found.map(({ entry, score }) => ({ ...entryReport(entry), score })),
      );
    },
  },
  {
    name: "get_default_prompts",
    description: "Shows the prompts of a memory agent.",
    inputSchema: object({ memory_type: text("Such as chat") }, ["memory_type"]),
    isReadOnly: true,
    run: async (store, given) => {
      const prompts = await store.defaultPrompts(given.text("memory_type"));
      return {
        templates: {
          context_prompt: prompts.contextPrompt,
          entry_capture_prompt: prompts.entryCapturePrompt,
          summary_prompt: prompts.summaryPrompt,
        },
      };
    },
  },
];

/** The requested item does not exist. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** Finds vaults in a store and remembers them: a memory never moves. */
export function vaultFinder(store: MemoryStore): FindVault {
  const known = new Map<string, string>();
  return async (memoryId) => {
    const vaultId = known.get(memoryId) ?? (await searchedVault(store, memoryId));
    known.set(memoryId, vaultId);
    return vaultId;
  };
}

async function searchedVault(store: MemoryStore, memoryId: string): Promise<string> {
  for (const { vaultId } of await store.listVaults()) {
    const memories = await store.listMemories(vaultId);
    if (memories.some((memory) => memory.memoryId === memoryId)) return vaultId;
  }
  throw new NotFoundError(`memory not found: ${memoryId}`);
}

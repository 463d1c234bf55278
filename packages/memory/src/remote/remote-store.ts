import { defined } from "@mdx-ai/base";
import type { MemoryPlace } from "../agent/prompts.ts";
import { LIMITS } from "../limits.ts";
import type {
  EntryPage,
  FoundEntry,
  MemoryEntry,
  MemoryStore,
  NewEntry,
  NewMemory,
  NewVault,
  PromptTemplates,
  SearchOptions,
  Vault,
  VaultMemory,
} from "../memory-store.ts";
import { MemoryStoreError } from "../memory-store-error.ts";
import {
  answerValue,
  contextIn,
  entryIn,
  foundIn,
  type ListedEntry,
  listIn,
  memoryIn,
  promptsIn,
  vaultIn,
} from "./answers.ts";
import { type MemoryConnection, RemoteCalls } from "./remote-calls.ts";

export interface RemoteStoreOptions {
  /** Aborts running calls. */
  readonly signal?: AbortSignal;
  /** Redacts every text before it is sent. Default: nothing is redacted. */
  readonly redact?: (text: string) => string;
}

/**
 * The store of a memory service that speaks MCP. Adapts arguments to the service's schemas, so that versions with other names and limits
 * work. An entry is not added twice with the same id while it is among the newest. `close` closes the connection.
 */
export const openRemoteStore = (connection: MemoryConnection, options: RemoteStoreOptions = {}): MemoryStore =>
  new RemoteStore(new RemoteCalls(connection, options.signal ?? NEVER), options.redact ?? ((text) => text));

/** The tag for an entry's id if the service generates ids. */
const ID_TAG = "entry_id";

/** The tag for an entry's time if the service has no such argument. */
const TIME_TAG = "said_at";

/** Pages read to find the entries of a source. */
const MAX_PAGES = 40;

class RemoteStore implements MemoryStore {
  readonly #calls: RemoteCalls;
  readonly #redact: (text: string) => string;
  /** Per memory, the ids of its newest entries and of entries added since. */
  readonly #ids = new Map<string, Promise<Set<string>>>();

  constructor(calls: RemoteCalls, redact: (text: string) => string) {
    this.#calls = calls;
    this.#redact = redact;
  }

  async createVault({ vaultId, title, description }: NewVault): Promise<Vault> {
    const answer = await this.#value("create_vault", { vault_id: vaultId, title, description });
    return expected(vaultIn(answer, { title, ...defined({ vaultId }) }), "create_vault");
  }

  async listVaults(): Promise<readonly Vault[]> {
    const answer = await this.#value("list_vaults", {});
    return listIn(answer, "vaults").flatMap((one) => vaultIn(one) ?? []);
  }

  async createMemory(vaultId: string, { title, memoryType, description }: NewMemory): Promise<VaultMemory> {
    const args = { vault_id: vaultId, title, memory_type: memoryType, description };
    const answer = await this.#value("create_memory_in_vault", args);
    return expected(memoryIn(answer, { vaultId, title, memoryType }), "create_memory_in_vault");
  }

  async listMemories(vaultId: string): Promise<readonly VaultMemory[]> {
    const answer = await this.#value("list_memories", { vault_id: vaultId });
    return listIn(answer, "memories").flatMap((one) => memoryIn(one, { vaultId }) ?? []);
  }

  async getMemory(vaultId: string, memoryId: string): Promise<VaultMemory> {
    const answer = await this.#value("get_memory", { vault_id: vaultId, memory_id: memoryId });
    return expected(memoryIn(answer, { vaultId }), "get_memory");
  }

  async addEntry(vaultId: string, memoryId: string, entry: NewEntry): Promise<MemoryEntry | undefined> {
    const { rawEntry, summary, tags = {}, entryId, createdAt } = entry;
    const [takesId, takesTime] = [await this.#calls.takes("add_entry", ID_TAG), await this.#takesTime()];
    const ids = entryId === undefined || takesId ? undefined : await this.#newestIds(vaultId, memoryId);
    if (entryId !== undefined && ids?.has(entryId)) return undefined;
    const sentTags = {
      ...redacted(tags, this.#redact),
      ...(ids && entryId !== undefined && { [ID_TAG]: entryId }),
      ...(createdAt !== undefined && !takesTime && { [TIME_TAG]: createdAt }),
    };
    const answer = await this.#value("add_entry", {
      vault_id: vaultId,
      memory_id: memoryId,
      raw_entry: this.#redact(rawEntry),
      summary: this.#redact(summary),
      tags: Object.keys(sentTags).length === 0 ? undefined : sentTags,
      [ID_TAG]: entryId,
      conversation_time: createdAt,
    });
    if (entryId !== undefined) ids?.add(entryId);
    return entryOf(entryIn(answer, memoryId));
  }

  async listEntries(vaultId: string, memoryId: string, page: EntryPage = {}): Promise<readonly MemoryEntry[]> {
    const { limit = LIMITS.listDefault, after, source } = page;
    if (!Number.isInteger(limit) || limit < 1 || limit > LIMITS.listMost)
      throw new MemoryStoreError("invalid", `a list has from 1 to ${LIMITS.listMost} entries, not ${limit}`);
    const found = new Map<string, MemoryEntry>();
    // Entries of other sources do not count, so more of them are requested.
    const size = source === undefined ? limit : LIMITS.listMost;
    for await (const { entry, addedAt } of this.#entries({ vaultId, memoryId }, { ...page, limit: size })) {
      if (after !== undefined && Date.parse(addedAt) <= Date.parse(after)) break;
      if (source === undefined || entry.tags["source"] === source) found.set(entry.entryId, withId(entry));
      if (found.size === limit) break;
    }
    return [...found.values()];
  }

  /** The entries, newest first, in pages of `limit`. */
  async *#entries(
    { vaultId, memoryId }: MemoryPlace,
    { before, after, limit = LIMITS.listMost }: EntryPage,
  ): AsyncGenerator<ListedEntry, void, undefined> {
    const seen = new Set<string>();
    let end = before;
    for (let page = 0; page < MAX_PAGES; page++) {
      // A service that accepts only one bound gets the later one.
      const bound = end === undefined ? { after } : { before: end };
      const args = { vault_id: vaultId, memory_id: memoryId, limit, ...bound };
      const entries = listIn(await this.#value("list_entries", args), "entries").flatMap(
        (one) => entryIn(one, memoryId) ?? [],
      );
      const fresh = entries.filter(({ entry }) => !seen.has(entry.entryId));
      yield* fresh;
      for (const { entry } of fresh) seen.add(entry.entryId);
      const oldest = entries.at(-1)?.addedAt;
      if (fresh.length === 0 || oldest === end) return;
      end = oldest;
    }
  }

  async getEntry(vaultId: string, memoryId: string, entryId: string): Promise<MemoryEntry | undefined> {
    try {
      const answer = await this.#value("get_entry", { vault_id: vaultId, memory_id: memoryId, entry_id: entryId });
      return entryOf(entryIn(answer, memoryId));
    } catch (error) {
      if (error instanceof MemoryStoreError && /entry.*not found|not found.*entry/i.test(error.message))
        return undefined;
      throw error;
    }
  }

  async putContext(vaultId: string, memoryId: string, content: string): Promise<void> {
    if (content.length > LIMITS.context)
      throw new MemoryStoreError("invalid", `a context has at most ${LIMITS.context} characters`);
    await this.#calls.call("put_context", { vault_id: vaultId, memory_id: memoryId, content: this.#redact(content) });
  }

  async getContext(vaultId: string, memoryId: string): Promise<string | undefined> {
    try {
      return contextIn(await this.#calls.call("get_context", { vault_id: vaultId, memory_id: memoryId }));
    } catch (error) {
      if (error instanceof MemoryStoreError && /context (snapshot )?not found/i.test(error.message)) return undefined;
      throw error;
    }
  }

  async awaitConsistency(memoryId: string): Promise<void> {
    await this.#calls.call("await_consistency", { memory_id: memoryId });
  }

  async search(
    vaultId: string,
    memoryId: string,
    query: string,
    { limit = LIMITS.searchDefault, now }: SearchOptions = {},
  ): Promise<readonly FoundEntry[]> {
    const args = { vault_id: vaultId, memory_id: memoryId, query, top_k: limit, top_kc: 0, now };
    const answer = await this.#value("search_memories", args);
    const found = listIn(answer, "entries").flatMap((one) => foundIn(one, memoryId) ?? []);
    return found.slice(0, limit).map(({ entry, score }) => ({ entry: withId(entry), score }));
  }

  async defaultPrompts(memoryType: string): Promise<PromptTemplates> {
    return promptsIn(await this.#value("get_default_prompts", { memory_type: memoryType }));
  }

  close(): Promise<void> {
    return this.#calls.close();
  }

  async #value(tool: string, args: Parameters<RemoteCalls["call"]>[1]): Promise<unknown> {
    return answerValue(await this.#calls.call(tool, args));
  }

  #takesTime(): Promise<boolean> {
    return this.#calls.takes("add_entry", "conversation_time");
  }

  /** Another process may have been killed after adding an entry and before noting it. */
  #newestIds(vaultId: string, memoryId: string): Promise<Set<string>> {
    const known = this.#ids.get(memoryId);
    if (known) return known;
    const reading = this.#readIds(vaultId, memoryId);
    this.#ids.set(memoryId, reading);
    reading.catch(() => this.#ids.delete(memoryId));
    return reading;
  }

  async #readIds(vaultId: string, memoryId: string): Promise<Set<string>> {
    await this.awaitConsistency(memoryId);
    const args = { vault_id: vaultId, memory_id: memoryId, limit: LIMITS.listMost };
    const entries = listIn(await this.#value("list_entries", args), "entries");
    return new Set(entries.flatMap((one) => entryIn(one, memoryId)?.entry.tags[ID_TAG] ?? []));
  }
}

const NEVER: AbortSignal = new AbortController().signal;

function expected<Value>(value: Value | undefined, tool: string): Value {
  if (value === undefined)
    throw new MemoryStoreError("unavailable", `the memory service answered ${tool} in an unknown format`);
  return value;
}

const entryOf = (listed: ListedEntry | undefined): MemoryEntry | undefined => listed && withId(listed.entry);

/** Removes the tags that replace arguments the service lacks. */
function withId(entry: MemoryEntry): MemoryEntry {
  const { [ID_TAG]: _id, [TIME_TAG]: saidAt, ...tags } = entry.tags;
  return { ...entry, ...defined({ createdAt: saidAt }), tags };
}

const redacted = (tags: Readonly<Record<string, string>>, redact: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, redact(value)]));

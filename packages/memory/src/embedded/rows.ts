import { isRecord } from "@mdx-ai/base";
import type { MemoryEntry, Vault, VaultMemory } from "../memory-store.ts";

export interface VaultRow {
  readonly vault_id: string;
  readonly title: string;
  readonly description: string | null;
  readonly created_at: number;
}

export interface MemoryRow extends VaultRow {
  readonly number: number;
  readonly memory_id: string;
  readonly memory_type: string;
  readonly entry_count: number;
}

/** An entry, with the id of its memory. */
export interface EntryRow {
  readonly number: number;
  readonly memory_id: string;
  readonly entry_id: string;
  readonly created_at: number;
  readonly summary: string;
  readonly raw_entry: string;
  readonly tags: string;
}

/** The columns of `EntryRow`; `e` is the table of entries and `m` the table of memories. */
export const ENTRY_COLUMNS = "e.number, m.memory_id, e.entry_id, e.created_at, e.summary, e.raw_entry, e.tags";

export const vaultOf = (row: VaultRow): Vault => ({
  vaultId: row.vault_id,
  title: row.title,
  ...described(row),
  createdAt: timeText(row.created_at),
});

export const memoryOf = (row: MemoryRow): VaultMemory => ({
  vaultId: row.vault_id,
  memoryId: row.memory_id,
  title: row.title,
  memoryType: row.memory_type,
  ...described(row),
  createdAt: timeText(row.created_at),
});

export const entryOf = (row: EntryRow): MemoryEntry => ({
  entryId: row.entry_id,
  memoryId: row.memory_id,
  createdAt: timeText(row.created_at),
  rawEntry: row.raw_entry,
  summary: row.summary,
  tags: tagsOf(row.tags),
});

/** Parses stored tags. */
function tagsOf(json: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(json);
  if (!isRecord(value)) return {};
  const pairs = Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : []));
  return Object.fromEntries(pairs);
}

const described = ({ description }: VaultRow): { readonly description?: string } =>
  description === null ? {} : { description };

const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString();

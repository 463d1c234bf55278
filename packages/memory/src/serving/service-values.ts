import { defined, isRecord, type JsonObject } from "@mdx-ai/base";
import { type MemoryEntry, textTags, type Vault, type VaultMemory } from "../memory-store.ts";

/** The arguments of a call, already validated by the tool's schema. */
export class GivenArguments {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: unknown) {
    this.#values = isRecord(values) ? values : {};
  }

  /** Empty if absent. */
  text(name: string): string {
    return this.optionalText(name) ?? "";
  }

  /** The ids of a memory and its vault. */
  memory(): readonly [vaultId: string, memoryId: string] {
    return [this.text("vault_id"), this.text("memory_id")];
  }

  /** Undefined if absent or empty. */
  optionalText(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  }

  /** Undefined if absent. */
  optionalNumber(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === "number" ? value : undefined;
  }

  /** Strings by name; other values become JSON. */
  tags(name: string): Readonly<Record<string, string>> {
    return textTags(this.#values[name]);
  }
}

/** A list of results with its length. */
export const listReport = (name: string, items: readonly JsonObject[]): JsonObject => ({
  [name]: items,
  count: items.length,
});

/** A vault in the service's format. */
export const vaultReport = ({ vaultId, title, description, createdAt }: Vault): JsonObject => ({
  vault_id: vaultId,
  title,
  ...defined({ description }),
  creation_time: createdAt,
});

/** A memory in the service's format. */
export const memoryReport = ({ memoryId, memoryType, ...memory }: VaultMemory): JsonObject => ({
  ...vaultReport(memory),
  memory_id: memoryId,
  memory_type: memoryType,
});

/** An entry in the service's format. */
export const entryReport = ({ entryId, memoryId, createdAt, rawEntry, summary, tags }: MemoryEntry): JsonObject => ({
  entry_id: entryId,
  memory_id: memoryId,
  creation_time: createdAt,
  raw_entry: rawEntry,
  summary,
  tags: { ...tags },
});

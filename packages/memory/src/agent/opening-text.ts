import type { MemoryEntry, MemoryStore } from "../memory-store.ts";
import type { MemoryPlace } from "./prompts.ts";

/** Entries that a new session receives. */
export const LISTED_ENTRIES = 10;

/**
 * What a new session receives from a memory: its context and newest entries. Undefined if the memory is empty. Rejects as the store does.
 */
export async function openingText(
  store: Pick<MemoryStore, "getContext" | "listEntries">,
  { vaultId, memoryId }: MemoryPlace,
): Promise<string | undefined> {
  const context = (await store.getContext(vaultId, memoryId)) ?? "";
  const entries = await store.listEntries(vaultId, memoryId, { limit: LISTED_ENTRIES });
  if (context === "" && entries.length === 0) return undefined;
  return [
    ...(context === "" ? [] : [contextText(context)]),
    ...(entries.length === 0 ? [] : [entriesText(entries)]),
  ].join("\n\n");
}

/** The context of earlier sessions, as text for a new session. */
export const contextText = (context: string): string => `Previous context:\n${context}`;

/** The newest entries, newest first, as text for a new session. */
export const entriesText = (entries: readonly MemoryEntry[]): string =>
  `Recent entries:\n${entries.map(entryLine).join("\n")}`;

function entryLine({ createdAt, tags, summary, rawEntry }: MemoryEntry): string {
  const { role } = tags;
  const text = summary.trim() === "" ? rawEntry : summary;
  // Forced onto one line, because the text comes from a memory service.
  return `- ${createdAt}${role === undefined ? "" : ` ${role}`}: ${text}`.replaceAll(/\s+/g, " ").trim();
}

import type { MemoryEntry } from "../memory-store.ts";
import { indexedWords } from "./words.ts";

/** Raise this number when the same entry gives other words; stores index their entries again then. */
export const INDEX_VERSION = 2;

/** An entry as the full-text index holds it: terms between spaces, each marked with the number of its memory. */
export interface IndexedText {
  readonly text: string;
  /** Empty if it says the same as the text. */
  readonly summary: string;
  readonly speaker: string;
  readonly asks: boolean;
}

/** A term in the index of one memory, so that the words of another are never read. */
export const memoryTerm = (memory: number, term: string): string => `m${memory}z${term}`;

/** Makes what the index holds of entries. */
export function createIndexer(
  term: (word: string) => string,
): (memory: number, entry: Omit<MemoryEntry, "memoryId" | "entryId">) => IndexedText {
  return (memory, { rawEntry, summary, tags }) => {
    const terms = (text: string): string =>
      indexedWords(text)
        .map((word) => memoryTerm(memory, term(word)))
        .join(" ");
    return {
      text: terms(rawEntry),
      summary: rawEntry.startsWith(summary) ? "" : terms(summary),
      speaker: terms(tags["speaker"] ?? tags["role"] ?? ""),
      asks: /[?\uff1f]$/.test(rawEntry.trimEnd()),
    };
  };
}

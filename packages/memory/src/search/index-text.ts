import type { MemoryEntry } from "../memory-store.ts";
import { indexedWords } from "./words.ts";

/** Increase this when the same entry produces other terms: stores then index their entries again. */
export const INDEX_VERSION = 3;

/** An entry's text in the full-text index: terms separated by spaces, each tagged with the number of its memory. */
export interface IndexedText {
  readonly text: string;
  /** Empty if it is the same as the text. */
  readonly summary: string;
  readonly speaker: string;
  readonly asks: boolean;
}

/** A term tagged with its memory, so that terms of other memories are never read. */
export const memoryTerm = (memory: number, term: string): string => `m${memory}z${term}`;

/** Creates the index text of entries. */
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

import type { Candidate } from "../search/candidate.ts";
import { memoryTerm } from "../search/index-text.ts";
import { Vocabulary } from "../search/vocabulary.ts";
import type { MemoryRow } from "./rows.ts";

/** What searches of a memory keep, since the next question is often about the same. */
export interface MemoryCache {
  readonly vocabulary: Vocabulary;
  /** By the numbers of their entries, which never change. */
  readonly candidates: Map<number, Candidate>;
  /** How many entries have a term. */
  readonly counts: Map<string, number>;
  /** The size of the memory when terms were counted. */
  readonly size: number;
}

const MAX_CANDIDATES = 10_000;
const MAX_TERMS = 200_000;
const MAX_MEMORIES = 16;
/** By which factor a memory may grow until terms are counted again: rarity need not be exact. */
const GROWTH = 1.05;

/** The caches of all memories of a store. */
export class MemoryCaches {
  readonly #caches = new Map<number, MemoryCache>();

  /** The cache of a memory, empty if it was too large or is too old. */
  of({ number, entry_count: size }: MemoryRow): MemoryCache {
    const kept = this.#caches.get(number);
    if (kept !== undefined && isUsable(kept, size)) return kept;
    if (this.#caches.size >= MAX_MEMORIES) this.#caches.clear();
    const cache: MemoryCache = {
      vocabulary: new Vocabulary(memoryTerm(number, "")),
      candidates: new Map(),
      counts: new Map(),
      size,
    };
    this.#caches.set(number, cache);
    return cache;
  }

  clear(): void {
    this.#caches.clear();
  }
}

const isUsable = ({ vocabulary, candidates, size }: MemoryCache, now: number): boolean =>
  now >= size && now <= size * GROWTH && candidates.size <= MAX_CANDIDATES && vocabulary.size <= MAX_TERMS;

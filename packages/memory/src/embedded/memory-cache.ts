import type { Candidate } from "../search/candidate.ts";
import { memoryTerm } from "../search/index-text.ts";
import { Vocabulary } from "../search/vocabulary.ts";
import type { MemoryRow } from "./rows.ts";

/** Data that searches of a memory keep, because successive questions are often similar. */
export interface MemoryCache {
  readonly vocabulary: Vocabulary;
  /** By entry number. Entries never change. */
  readonly candidates: Map<number, Candidate>;
  /** The number of entries that contain a term. */
  readonly counts: Map<string, number>;
  /** The size of the memory when terms were counted. */
  readonly size: number;
}

const MAX_CANDIDATES = 10_000;
const MAX_TERMS = 200_000;
const MAX_MEMORIES = 16;
/** How much a memory may grow before terms are counted again: rarity may be approximate. */
const GROWTH = 1.05;

/** The caches of all memories of a store. */
export class MemoryCaches {
  readonly #caches = new Map<number, MemoryCache>();

  /** The cache of a memory; a new one if it is too large or outdated. */
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

import { LIMITS } from "../limits.ts";
import type { NewEntry } from "../memory-store.ts";
import { MemoryStoreError } from "../memory-store-error.ts";

/** What a store is given, checked and without keys. All functions throw `MemoryStoreError` (invalid). */
export interface CheckedEntry {
  readonly entryId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly rawEntry: string;
  readonly summary: string;
  readonly tags: Readonly<Record<string, string>>;
}

export interface EntryChecks {
  readonly redact: (text: string) => string;
  readonly now: () => number;
}

export function checkedEntry(entry: NewEntry, { redact, now }: EntryChecks): CheckedEntry {
  const { rawEntry, summary, tags = {}, entryId, createdAt } = entry;
  if (rawEntry.trim() === "") throw invalid("an entry needs text");
  return {
    entryId: entryId === undefined ? newId() : checkedText(entryId, "the id", LIMITS.id),
    createdAt: createdAt === undefined ? now() : checkedTime(createdAt),
    rawEntry: redact(atMost(rawEntry, "the text", LIMITS.rawEntry)),
    summary: redact(atMost(summary, "the summary", LIMITS.summary)),
    tags: checkedTags(tags, redact),
  };
}

function checkedTags(tags: Readonly<Record<string, string>>, redact: (text: string) => string): CheckedEntry["tags"] {
  const pairs = Object.entries(tags);
  if (pairs.length > LIMITS.tags) throw invalid(`an entry has at most ${LIMITS.tags} tags, not ${pairs.length}`);
  return Object.fromEntries(
    pairs.map(([name, value]) => [
      redact(checkedText(name, "the name of a tag", LIMITS.tagName)),
      redact(atMost(value, `the tag ${name.slice(0, 40)}`, LIMITS.tagValue)),
    ]),
  );
}

/** A text that is neither empty nor too long. */
export function checkedText(text: string, what: string, most: number): string {
  if (text.trim() === "") throw invalid(`${what} is empty`);
  return atMost(text, what, most);
}

export function atMost(text: string, what: string, most: number): string {
  if (text.length > most) throw invalid(`${what} has ${text.length} characters; at most ${most} are possible`);
  return text;
}

/** Milliseconds since 1970 of an ISO time. */
export function checkedTime(text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw invalid(`${JSON.stringify(text.slice(0, 60))} is not a time; write it as 2026-05-08 or 2026-05-08T13:56:00Z`);
}

/** A number of items, `usual` if none is given. */
export function checkedLimit(
  limit: number | undefined,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  if (limit === undefined) return usual;
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw invalid(`the limit is a whole number from 1 to ${most}, not ${limit}`);
}

export const invalid = (message: string): MemoryStoreError => new MemoryStoreError("invalid", message);

const LETTERS = "abcdefghjkmnpqrstvwxyz0123456789";
const ID_LENGTH = 12;

/** An id that people can type, of 60 random bits. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(ID_LENGTH)), (byte) => LETTERS[byte % LETTERS.length]).join("");

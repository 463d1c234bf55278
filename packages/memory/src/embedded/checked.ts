import { type Schema, unlocated, validate } from "@mdx-ai/base/schema";
import { LIMITS } from "../limits.ts";
import type { NewEntry } from "../memory-store.ts";
import { MemoryStoreError } from "../memory-store-error.ts";

/** Validates and redacts the input of a store. All functions throw `MemoryStoreError` (invalid). */
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
  return {
    entryId: entryId === undefined ? newId() : checkedText(entryId, "entryId", LIMITS.id),
    createdAt: createdAt === undefined ? now() : checkedTime(createdAt, "createdAt"),
    rawEntry: redact(checkedText(rawEntry, "rawEntry", LIMITS.rawEntry)),
    summary: redact(atMost(summary, "summary", LIMITS.summary)),
    tags: checkedTags(tags, redact),
  };
}

function checkedTags(tags: Readonly<Record<string, string>>, redact: (text: string) => string): CheckedEntry["tags"] {
  const pairs = Object.entries(tags);
  if (pairs.length > LIMITS.tags) throw invalid(`an entry has at most ${LIMITS.tags} tags, not ${pairs.length}`);
  return Object.fromEntries(
    pairs.map(([name, value]) => [
      redact(checkedText(name, "tags", LIMITS.tagName)),
      redact(atMost(value, `tags.${name}`, LIMITS.tagValue)),
    ]),
  );
}

/** A text that is neither empty nor too long. */
export const checkedText = (text: string, name: string, most: number): string =>
  checked({ ...textOf(`a text of 1 to ${most} characters`), pattern: "\\S", maxLength: most }, text, name);

/** A text that is not too long. */
export const atMost = (text: string, name: string, most: number): string =>
  checked({ ...textOf(`a text of at most ${most} characters`), maxLength: most }, text, name);

/** Milliseconds since 1970 of an ISO time. */
export const checkedTime = (text: string, name: string): number => Date.parse(checked(time, text, name));

/** A number of items; `usual` if absent. */
export const checkedLimit = (
  limit: number | undefined,
  { usual, most }: { readonly usual: number; readonly most: number },
): number => {
  const title = `a whole number from 1 to ${most}`;
  return limit === undefined ? usual : checked({ title, type: "integer", minimum: 1, maximum: most }, limit, "limit");
};

/** Stored text is not quoted in errors, since it may contain keys. */
const textOf = (title: string): Schema => ({ title, type: "string", isSecret: true });

const time: Schema = {
  title: "a time such as 2026-05-08 or 2026-05-08T13:56:00Z",
  type: "string",
  accepts: (value) => !Number.isNaN(Date.parse(String(value))),
};

function checked<T>(schema: Schema, value: T, name: string): T {
  const [problem] = validate(schema, unlocated(value), { name }).problems;
  if (problem !== undefined) throw invalid(problem.message);
  return value;
}

export const invalid = (message: string): MemoryStoreError => new MemoryStoreError("invalid", message);

const LETTERS = "abcdefghjkmnpqrstvwxyz0123456789";
const ID_LENGTH = 12;

/** A generated id of 60 random bits that people can type. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(ID_LENGTH)), (byte) => LETTERS[byte % LETTERS.length]).join("");

import { setImmediate } from "node:timers/promises";
import { attempt, sha256 } from "@mdx-ai/base";
import type { EmbeddedMemoryStore } from "../embedded/embedded-store.ts";
import type { NewEntry, VaultMemory } from "../memory-store.ts";
import { MemoryStoreError } from "../memory-store-error.ts";
import { readEntryLine } from "./entry-line.ts";

/** The progress of an import. */
export interface ImportProgress {
  readonly lines: number;
  readonly added: number;
  /** Entries that existed already. */
  readonly existing: number;
  readonly broken: number;
}

export interface BrokenLine {
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

export interface ImportOptions {
  readonly signal?: AbortSignal;
  readonly onBroken: (broken: BrokenLine) => void;
  /** Called after each batch is flushed. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** Entries per transaction: enough to be fast, few enough not to block other processes for long. */
const PART = 1_000;

/**
 * Adds an entry for each line, which `readLines` has read. Skips ids that exist; a line without an id gets one from its content, so that an interrupted import can be
 * repeated. Reports invalid lines and imports the others. Rejects as the store does.
 */
export async function importLines(
  store: EmbeddedMemoryStore,
  { vaultId, memoryId }: VaultMemory,
  lines: AsyncIterable<string | undefined>,
  { signal, onBroken, onProgress }: ImportOptions,
): Promise<ImportProgress> {
  const identified = createIds();
  let progress: ImportProgress = { lines: 0, added: 0, existing: 0, broken: 0 };
  let part: NewEntry[] = [];
  const write = async (): Promise<void> => {
    const added = (await store.addEntries(vaultId, memoryId, part)).filter(Boolean).length;
    progress = {
      ...progress,
      added: progress.added + added,
      existing: progress.existing + part.length - added,
    };
    part = [];
    onProgress?.(progress);
    // Without a pause, no signal would be handled before the end.
    await setImmediate();
  };
  for await (const line of lines) {
    if (signal?.aborted) break;
    progress = { ...progress, lines: progress.lines + 1 };
    if (line?.trim() === "") continue;
    const read = readOrReason(line);
    if ("reason" in read) {
      progress = { ...progress, broken: progress.broken + 1 };
      onBroken({ line: progress.lines, reason: read.reason });
    } else part.push(identified(read.entry, read.line));
    if (part.length >= PART) await write();
  }
  if (!signal?.aborted) await write();
  return progress;
}

type ReadLine = { readonly entry: NewEntry; readonly line: string } | { readonly reason: string };

function readOrReason(line: string | undefined): ReadLine {
  if (line === undefined) return { reason: "it is not valid UTF-8" };
  try {
    return { entry: readEntryLine(line), line };
  } catch (error) {
    if (error instanceof MemoryStoreError) return { reason: error.message };
    throw error;
  }
}

/** Gives entries without an id one: the same for the same line, but a different one for the second of two equal lines. */
function createIds(): (entry: NewEntry, line: string) => NewEntry {
  const seen = new Map<string, number>();
  return (entry, line) => {
    if (entry.entryId !== undefined) return entry;
    const id = sha256(line.trim()).slice(0, 20);
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return { ...entry, entryId: count === 1 ? id : `${id}-${count}` };
  };
}

/** Splits chunks of UTF-8 text into lines; undefined for one that is not valid UTF-8. Drops a byte order mark at the start. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  // Drops the byte order mark of the first line alone.
  let decoder = new TextDecoder("utf-8", { fatal: true });
  const read = (line: readonly Uint8Array[]): string | undefined => {
    const current = decoder;
    decoder = LATER;
    return attempt(() => current.decode(Buffer.concat(line)).replace(/\r$/, ""));
  };
  let rest: Uint8Array[] = [];
  for await (const part of bytes) {
    let start = 0;
    for (let end = part.indexOf(NEWLINE); end !== -1; end = part.indexOf(NEWLINE, start)) {
      yield read([...rest, part.subarray(start, end)]);
      rest = [];
      start = end + 1;
    }
    if (start < part.length) rest.push(part.subarray(start));
  }
  if (rest.length > 0) yield read(rest);
}

const NEWLINE = 10;

const LATER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

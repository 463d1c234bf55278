import { setImmediate } from "node:timers/promises";
import { sha256 } from "@mdx-ai/base";
import type { EmbeddedMemoryStore } from "../embedded/embedded-store.ts";
import type { NewEntry, VaultMemory } from "../memory-store.ts";
import { MemoryStoreError } from "../memory-store-error.ts";
import { readEntryLine } from "./entry-line.ts";

/** What an import has done so far. */
export interface ImportProgress {
  readonly lines: number;
  readonly added: number;
  /** Those that were there already. */
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
  /** Called after each part, which is on the disk then. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** Entries of one transaction: many enough to be quick, few enough that other processes need not wait long. */
const PART = 1_000;

/**
 * Adds an entry for each line. One whose id is there is not added again; a line without an id gets one from its content, so that
 * an interrupted import can be repeated. Broken lines are reported, and the others are taken. Rejects as the store does.
 */
export async function importLines(
  store: EmbeddedMemoryStore,
  { vaultId, memoryId }: VaultMemory,
  lines: AsyncIterable<string>,
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
    // Nothing above waits for anything but the disk: without a pause no signal of the system would arrive before the end.
    await setImmediate();
  };
  for await (const line of lines) {
    if (signal?.aborted) break;
    progress = { ...progress, lines: progress.lines + 1 };
    if (line.trim() === "") continue;
    const read = readOrReason(line);
    if ("reason" in read) {
      progress = { ...progress, broken: progress.broken + 1 };
      onBroken({ line: progress.lines, reason: read.reason });
    } else part.push(identified(read.entry, line));
    if (part.length >= PART) await write();
  }
  if (!signal?.aborted) await write();
  return progress;
}

function readOrReason(line: string): { readonly entry: NewEntry } | { readonly reason: string } {
  try {
    return { entry: readEntryLine(line) };
  } catch (error) {
    if (error instanceof MemoryStoreError) return { reason: error.message };
    throw error;
  }
}

/** Gives entries without an id one: the same line the same, but the second of two equal lines another. */
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

/** The lines of UTF-8 text that comes in parts, without their ends. A byte order mark at the start is dropped. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of bytes) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

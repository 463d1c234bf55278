import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { refuseLinks } from "../files/refuse-links.ts";
import { syncFolder } from "../files/sync-folder.ts";
import type { AddedNote } from "../types/memory.ts";
import { MemoryError } from "./memory-error.ts";

/** The bytes of AGENT.md that a model is told: 64 KiB, as seed 001 has it. */
export const TOLD_BYTES = 65_536;

/** Not followed where it is a link, and not waited for where it is a pipe. */
const CAREFUL = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const NEWLINE = 0x0a;

/** What AGENT.md says. */
export interface Notes {
  /** Of its beginning, which ends between two characters. */
  readonly text: string;
  /** Bytes of the file, and how many of them are left out at its end. */
  readonly size: number;
  readonly omitted: number;
}

/** AGENT.md of `agentDir` (absolute). */
export const notesPath = (agentDir: string): string => join(agentDir, "AGENT.md");

/** Reads the beginning of the file; undefined where there is none, which costs one look. Throws what the file system says. */
export function readNotes(path: string): Notes | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  refuseLinks([path]);
  const descriptor = openSync(path, constants.O_RDONLY | CAREFUL);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw noFile(path);
    const bytes = Buffer.alloc(Math.min(stats.size, TOLD_BYTES + 1));
    const read = bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
    const kept = read.subarray(0, characterEnd(read, TOLD_BYTES));
    return { text: new TextDecoder().decode(kept), size: stats.size, omitted: stats.size - kept.length };
  } finally {
    closeSync(descriptor);
  }
}

/** The place, at most `limit`, at which no character of UTF-8 is cut in two. */
function characterEnd(bytes: Buffer, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let end = limit;
  // A character has at most three bytes that go on; more of them in a row are no text anyway.
  while (end > limit - 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/**
 * Adds the line `* text` to the end of the file, which is made where it is missing, and puts it on disk. It goes out in one
 * piece, so that those of several processes do not mix; what stands there, its owner and its mode stay. Rejects with
 * `MemoryError` or what the file system says.
 */
export async function addNote(path: string, text: string): Promise<AddedNote> {
  refuseLinks([path]);
  const line = `* ${text.toWellFormed()}`;
  const file = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | CAREFUL, 0o666);
  try {
    const { size, ...stats } = await file.stat();
    return { line, size, told: TOLD_BYTES };
  } finally {
    await file.close();
  }
}

const noFile = (path: string): MemoryError => new MemoryError(`${path} is no regular file; move it away, then try again`);

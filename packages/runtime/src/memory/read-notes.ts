import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { checkPlaces } from "../files/check-places.ts";
import type { Notes } from "../types/memory.ts";

/** The bytes of AGENT.md that a model is told at most: 64 KiB. */
export const TOLD_BYTES = 65_536;

/** A link is not followed, and a pipe not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Reads the beginning of AGENT.md; undefined where there is none, which costs one look. Throws `SymbolicLinkError`,
 * `WrongPlaceError`, or what the file system says.
 */
export function readNotes(path: string): Notes | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  checkPlaces({ folders: [], files: [path] });
  const descriptor = openSync(path, FLAGS);
  try {
    return notesOf(beginning(descriptor), fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}

/** With one byte more than is told, which says whether a character ends there. */
function beginning(descriptor: number): Buffer {
  const bytes = Buffer.alloc(TOLD_BYTES + 1);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
}

function notesOf(bytes: Buffer, size: number): Notes {
  const told = bytes.subarray(0, characterEnd(bytes));
  return { text: new TextDecoder().decode(told), size, omitted: Math.max(0, size - told.length) };
}

/** The last place that may be told up to and cuts no character of UTF-8 in two. */
function characterEnd(bytes: Buffer): number {
  if (bytes.length <= TOLD_BYTES) return bytes.length;
  let end = TOLD_BYTES;
  // A character goes on for at most three bytes; more of them in a row are no text anyway.
  while (end > TOLD_BYTES - 3 && isWithinCharacter(bytes[end])) end--;
  return end;
}

const isWithinCharacter = (byte = 0): boolean => (byte & 0b1100_0000) === 0b1000_0000;

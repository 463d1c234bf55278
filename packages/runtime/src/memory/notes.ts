import { lstatSync } from "node:fs";
import { openLineFile } from "../files/line-file.ts";
import { readBytes, readOwnFile } from "../files/read-whole-file.ts";
import type { AddedNote, Notes } from "../types/memory.ts";

/** The bytes of AGENT.md that a model receives at most: 64 KiB. */
const SENT_BYTES = 65_536;

/**
 * Reads the beginning of AGENT.md; undefined if there is no such file. Throws `SymbolicLinkError`, `WrongKindError`, or what the
 * file system says.
 */
export function readNotes(path: string): Notes | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  return readOwnFile(path, (descriptor, { size }) => notesOf(beginning(descriptor), size));
}

/**
 * Adds the line `* text` to the end of AGENT.md, which is made if it is missing, and resolves when it is on disk. The line is
 * written in one piece, so that those of several processes do not mix; the rest of the file, its owner and its mode stay.
 * Rejects with `SymbolicLinkError`, `WrongKindError`, or what the file system says.
 */
export async function addNote(path: string, text: string): Promise<AddedNote> {
  const line = `* ${text.toWellFormed()}`;
  const file = openLineFile<string>(path, { serialize: (note) => note, mode: 0o666 });
  try {
    file.append(line);
    await file.sync();
    return { line, size: file.size, sent: SENT_BYTES };
  } finally {
    file.close();
  }
}

/** With one byte more than is sent, which says whether a character ends there. */
const beginning = (descriptor: number): Buffer => readBytes(descriptor, 0, SENT_BYTES + 1);

function notesOf(bytes: Buffer, size: number): Notes {
  const sent = bytes.subarray(0, characterEnd(bytes));
  return { text: new TextDecoder().decode(sent), size, omitted: Math.max(0, size - sent.length) };
}

/** The last offset at which the text may end without cutting a character of UTF-8 in two. */
function characterEnd(bytes: Buffer): number {
  if (bytes.length <= SENT_BYTES) return bytes.length;
  let end = SENT_BYTES;
  // A character has at most three more bytes; a longer row of them is no text anyway.
  while (end > SENT_BYTES - 3 && isWithinCharacter(bytes[end])) end--;
  return end;
}

const isWithinCharacter = (byte = 0): boolean => (byte & 0b1100_0000) === 0b1000_0000;

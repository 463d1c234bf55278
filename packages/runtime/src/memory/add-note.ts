import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { checkPlaces } from "../files/check-places.ts";
import { lineBreak, openToAppend } from "../files/open-to-append.ts";
import { syncFolder } from "../files/sync-folder.ts";
import type { AddedNote } from "../types/memory.ts";
import { TOLD_BYTES } from "./read-notes.ts";

/**
 * Adds the line `* text` to the end of AGENT.md, which is made where it is missing, and resolves when it is on disk. The line
 * goes out in one piece, so that those of several processes do not mix; what stands there, its owner and its mode stay.
 * Rejects with `SymbolicLinkError`, `WrongPlaceError`, or what the file system says.
 */
export async function addNote(path: string, text: string): Promise<AddedNote> {
  checkPlaces({ folders: [], files: [path] });
  const line = `* ${text.toWellFormed()}`;
  const file = await openToAppend(path, 0o666);
  try {
    const { size } = await file.stat();
    await append(file, `${await lineBreak(file, size)}${line}\n`);
    await file.datasync();
    if (size === 0) await syncFolder(dirname(path));
    return { line, size: (await file.stat()).size, told: TOLD_BYTES };
  } finally {
    await file.close();
  }
}

/** A disk that fills up may take a part: the rest then fails, which tells why. */
async function append(file: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written)).bytesWritten;
  }
}

import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkPlaces } from "../files/check-places.ts";
import { readWholeFile } from "../files/read-whole-file.ts";
import { jsonValue } from "../json-value.ts";
import { isRecord } from "../record.ts";
import { writeWhole } from "../state/write-whole.ts";
import type { Memory } from "../types/memory.ts";

/** What `state/memory.json` holds: memories, or something that cannot be understood. */
export type MemoryFile =
  | { readonly state: "readable"; readonly memories: readonly Memory[] }
  | { readonly state: "broken" };

/** The memories of `agentDir` (absolute). */
export const memoryPath = (agentDir: string): string => join(agentDir, "state", "memory.json");

/** Reads the memories; where there is no file there are none, which costs one look. Throws what the file system says. */
export function readMemoryFile(path: string): MemoryFile {
  if (!lstatSync(path, { throwIfNoEntry: false })) return { state: "readable", memories: [] };
  checkMemoryPlaces(path);
  // People may edit the file: the decoder takes a byte-order mark away.
  const value = jsonValue(new TextDecoder().decode(readWholeFile(path)));
  return isMemories(value) ? { state: "readable", memories: value } : { state: "broken" };
}

/** Replaces the memories in one move; the file is its owner's alone. Rejects with what the file system says. */
export async function writeMemoryFile(path: string, memories: readonly Memory[]): Promise<void> {
  await writeWhole(path, `${JSON.stringify(memories, null, 2)}\n`);
}

/** Makes sure that memories are not kept elsewhere. Throws `SymbolicLinkError`, `WrongPlaceError`, or what the file system says. */
export const checkMemoryPlaces = (path: string): void => checkPlaces({ folders: [dirname(path)], files: [path] });

const isMemories = (value: unknown): value is readonly Memory[] => Array.isArray(value) && value.every(isMemory);

function isMemory(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, timestamp, content } = value;
  return typeof id === "string" && typeof timestamp === "string" && typeof content === "string";
}

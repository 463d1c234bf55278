import { lstatSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { makeTemporaryFolder } from "./drafts.ts";
import { readSmallFile } from "./read-file.ts";
import { parseProcess, processState, thisProcess } from "./running-process.ts";

/** Names the process that made a folder. */
const MAKER = ".process";

/** Bytes; longer than the name of any process. */
const MAX_LENGTH = 4096;

/**
 * Makes a folder as `makeTemporaryFolder` does, for as long as this process runs, and removes those with the same prefix that ended processes of
 * this user left. Processes in other containers count as running. Throws as `makeTemporaryFolder` does, or the file system's error.
 */
export function makeProcessFolder(prefix: string): string {
  const folder = makeTemporaryFolder(prefix);
  writeFileSync(join(folder, MAKER), JSON.stringify(thisProcess(Date.now())), { mode: 0o600 });
  const around = dirname(folder);
  for (const name of attempt(() => readdirSync(around)) ?? []) {
    if (name.startsWith(prefix) && name !== basename(folder)) attempt(() => removeIfLeft(join(around, name)));
  }
  return folder;
}

function removeIfLeft(folder: string): void {
  // Another user could replace what is being removed by a link.
  if (lstatSync(folder).uid !== process.getuid?.()) return;
  const maker = parseProcess(readSmallFile(join(folder, MAKER), MAX_LENGTH) ?? "");
  if (maker !== undefined && processState(maker) === "ended") rmSync(folder, { recursive: true, force: true });
}

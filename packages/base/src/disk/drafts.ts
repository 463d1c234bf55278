import { existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { sha256 } from "../hashes/fingerprint.ts";
import { hasProcess } from "./running-process.ts";

/** The end of a temporary name: the machine and the id of its process, so that other processes can check whether it has ended. */
const ENDING = /\.(?:([0-9a-z]{1,13})-)?(\d{1,10})-[0-9a-f]{8}-[0-9a-f-]{27}(\.tmp)?$/;

/** The age, in milliseconds, after which a temporary file of any machine is abandoned. */
const LONG = 86_400_000;

/** No folder for temporary files can be written. The message names the fix. */
export class TemporaryFolderError extends Error {
  override readonly name = "TemporaryFolderError";
}

/**
 * Makes a folder for temporary files that only this user can access, in the system's folder, or else in `/var/tmp` or
 * `/dev/shm`. Returns its real path. Throws `TemporaryFolderError`.
 */
export function makeTemporaryFolder(prefix: string): string {
  const folders = [tmpdir(), "/var/tmp", "/dev/shm"];
  for (const folder of folders) {
    const made = attempt(() => realpathSync(mkdtempSync(join(folder, prefix))));
    if (made !== undefined) return made;
  }
  throw new TemporaryFolderError(
    `cannot make a temporary folder in ${folders.join(", ")}; set TMPDIR to a folder that you can write`,
  );
}

/** A unique name for a file or a folder that will be renamed. */
export const draftName = (name: string): string => `${name}.${thisMachine()}-${process.pid}-${crypto.randomUUID()}.tmp`;

/** Identifies this machine, or container, in a few letters. */
const thisMachine = (): string => sha256(hostname()).slice(0, 12);

/**
 * Removes the temporary files of ended processes from a folder, which need not exist. If users name the files in it, only names
 * with a `prefix` that theirs cannot have count. Never throws.
 */
export function removeTempFiles(folder: string, prefix = ""): void {
  if (!existsSync(folder)) return;
  // The next process retries files that cannot be removed.
  attempt(() => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (name.startsWith(prefix) && isAbandoned(path)) rmSync(path, { recursive: true, force: true });
    }
  });
}

/**
 * The same in a folder of the user's files, which may have any name: removes only temporary files for replacements by ended
 * processes of this machine. Never throws.
 */
export function removeTempFilesIn(folder: string): void {
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    if (!name.startsWith(".") || !isLeftHere(name)) continue;
    const path = join(folder, name);
    attempt(() => {
      if (lstatSync(path).isFile()) rmSync(path);
    });
  }
}

function isLeftHere(name: string): boolean {
  const [, machine, pid, ending] = ENDING.exec(name) ?? [];
  return ending !== undefined && machine === thisMachine() && !hasProcess(Number(pid));
}

/** The process numbers of another machine mean nothing here. */
function isAbandoned(path: string): boolean {
  const [ending, machine, pid] = ENDING.exec(path) ?? [];
  if (ending === undefined) return false;
  return machine === thisMachine() ? !hasProcess(Number(pid)) : Date.now() - statSync(path).mtimeMs > LONG;
}

/** A time, in milliseconds since 1970, for a file's name: ISO 8601 without colons, which some file systems refuse. */
export const timeName = (time: number): string => new Date(time).toISOString().replaceAll(":", "-");

/**
 * Renames an unreadable file of `state/` so that nothing is lost, such as `memory.json` to
 * `memory.broken-2026-11-21T09-00-00.000Z.json`. `now` is milliseconds since 1970. Returns a line that reports it. Throws the
 * file system's error.
 */
export function setAside(path: string, now: number): string {
  const name = basename(path, ".json");
  const aside = `${name}.broken-${timeName(now)}.json`;
  renameSync(path, join(dirname(path), aside));
  return `state/${name}.json cannot be read and was renamed to state/${aside}`;
}

import { existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { sha256 } from "../hashes/fingerprint.ts";
import { hasProcess } from "./running-process.ts";

/** The end of a temporary name: the machine and the number of the process that uses it, so that others can see when it ended. */
const ENDING = /\.(?:([0-9a-z]{1,13})-)?(\d{1,10})-[0-9a-f]{8}-[0-9a-f-]{27}(\.tmp)?$/;

/** Milliseconds after which a draft is abandoned, whatever machine it is from. */
const LONG = 86_400_000;

/** A unique name for a file or a folder that will be renamed. */
export const draftName = (name: string): string => `${name}.${thisMachine()}-${process.pid}-${crypto.randomUUID()}.tmp`;

/** Identifies this machine, or container, in a few letters. */
const thisMachine = (): string => sha256(hostname()).slice(0, 12);

/**
 * Removes the drafts of processes that have ended from a folder, which need not exist. If users name the files in it, only
 * names with a `prefix` that theirs cannot have are drafts. Never throws.
 */
export function removeTempFiles(folder: string, prefix = ""): void {
  if (!existsSync(folder)) return;
  // The next process retries drafts that cannot be removed.
  attempt(() => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (name.startsWith(prefix) && isAbandoned(path)) rmSync(path, { recursive: true, force: true });
    }
  });
}

/**
 * The same in a folder of the user's own files, whose names may be anything: removes only the files that processes of this machine
 * which have ended were about to put in place of others. Never throws.
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
 * Renames a file of `state/` that cannot be understood, such as `memory.json` to `memory.broken-2026-11-21T09-00-00.000Z.json`,
 * so that nothing is lost. `now` is milliseconds since 1970. Returns a line that says so. Throws what the file system says.
 */
export function setAside(path: string, now: number): string {
  const name = basename(path, ".json");
  const aside = `${name}.broken-${timeName(now)}.json`;
  renameSync(path, join(dirname(path), aside));
  return `state/${name}.json cannot be understood and was set aside as state/${aside}`;
}

import { lstatSync, readFileSync } from "node:fs";

/** A line for each socket that is open on this machine; the name of one in the file system comes last. */
const NAMED = /^(?:\S+ +){6}\d+ (\/.*)$/;

/** Where programs listen in the file system: a folder that cannot be written to keeps nobody from connecting. Never throws. */
export function socketPlaces(): readonly string[] {
  const names = openSockets().flatMap((line) => NAMED.exec(line)?.[1] ?? []);
  return [...new Set(names)].filter(isSocket);
}

function openSockets(): readonly string[] {
  try {
    return readFileSync("/proc/net/unix", "utf8").split("\n");
  } catch {
    return [];
  }
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
  } catch {
    // What this user cannot get at, the sandbox cannot either.
    return false;
  }
}

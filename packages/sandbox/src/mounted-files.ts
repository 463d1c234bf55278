// Notices files that are replaced: bubblewrap mounts what it finds at a path, and another program may replace that.
import { closeSync, constants, lstatSync, openSync } from "node:fs";
import { openedIdentity, openedPath, PATH_ONLY } from "@mdx-ai/base/disk";
import { SandboxStartError } from "./sandbox-errors.ts";
import { shellQuoted } from "./shell-script.ts";

/**
 * Identifies the files at these paths: the result changes when one of them is replaced. Includes the creation time, because a
 * file system may reuse the inode number of a removed file.
 */
export function stampOf(places: readonly string[]): string {
  const identity = (place: string): string => {
    const { ino, birthtimeMs } = lstatSync(place, { throwIfNoEntry: false }) ?? { ino: 0, birthtimeMs: 0 };
    return `${ino}:${birthtimeMs}`;
  };
  return places.map(identity).join();
}

/**
 * Lines of shell that fail in a sandbox unless each path, absolute and real, is mounted from the file at that path now.
 * Bubblewrap opens paths by name, and another sandbox may replace one by a link meanwhile. Throws `SandboxStartError` if one was
 * replaced already, or the file system's error.
 */
export function checking(places: readonly string[]): readonly string[] {
  if (places.length === 0) return [];
  const expected = places.map((place) => `${identityOf(place)} ${place}\n`).join("");
  const complaint = "echo a file was replaced while a sandbox was made >&2";
  const found = `$(stat -c '%d:%i %n' -- ${places.map(shellQuoted).join(" ")}; echo .)`;
  return [`{ [ "${found}" = ${shellQuoted(`${expected}.`)} ] || { ${complaint}; false; }; }`];
}

function identityOf(place: string): string {
  const descriptor = openSync(place, PATH_ONLY | constants.O_NOFOLLOW);
  try {
    if (openedPath(descriptor) !== place) {
      throw new SandboxStartError(`${place} was replaced while a sandbox was made`);
    }
    return openedIdentity(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

import { type BigIntStats, fstatSync, lstatSync, readlinkSync } from "node:fs";

/** Identifies a file, whatever its name; undefined if nothing is there. Throws what the file system says. */
export function fileIdentity(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && identityOf(stats);
}

/** Identifies an open file, as `fileIdentity` does. Throws what the file system says. */
export const openedIdentity = (descriptor: number): string => identityOf(fstatSync(descriptor, { bigint: true }));

const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Whether two paths name one existing file. Throws what the file system says. */
export function isSameFile(one: string, other: string): boolean {
  const identity = fileIdentity(one);
  return identity !== undefined && identity === fileIdentity(other);
}

/** A flag of Linux's open: holds a file or folder, whatever happens to its name. It need not be readable. */
export const PATH_ONLY = 0o10000000;

/** A path of an open file or folder that works whatever has happened to its name since. Linux only. */
export const descriptorPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/** The real path of an open file or folder; undefined if the system does not say. */
export function openedPlace(descriptor: number): string | undefined {
  try {
    return readlinkSync(descriptorPath(descriptor));
  } catch {
    return undefined;
  }
}

import { type BigIntStats, fstatSync, lstatSync } from "node:fs";

/** What all names of one file have in common; undefined if nothing is there. Throws what the file system says. */
export function fileIdentity(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && identityOf(stats);
}

/** The same of an open file. Throws what the file system says. */
export const openedIdentity = (descriptor: number): string => identityOf(fstatSync(descriptor, { bigint: true }));

const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Whether two paths name one existing file. Throws what the file system says. */
export function isSameFile(one: string, other: string): boolean {
  const identity = fileIdentity(one);
  return identity !== undefined && identity === fileIdentity(other);
}

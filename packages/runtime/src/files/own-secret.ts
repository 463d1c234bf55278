import { linkSync, lstatSync, mkdirSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { unlessTaken } from "./error-code.ts";
import { requireOwn, SharedFileError } from "./own-file.ts";
import { readBytes, readOwnFile } from "./read-file.ts";
import { replaceFileSync } from "./replace-file.ts";

/** A secret: 32 random bytes. */
const SECRET = /^[\da-f]{64}$/;

/** Bytes of a secret in hexadecimal, with a newline. */
const LENGTH = 65;

/**
 * A secret of the user from its file; undefined if there is none that is whole and that its owner alone can read. Throws
 * `SharedFileError` if others may have written it, or as `readOwnFile` does.
 */
export function readSecret(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  requireOwn(dirname(file), statSync(dirname(file)));
  const text = readOwnFile(file, (descriptor, stats) => {
    requireOwn(file, stats);
    return isPrivate(stats)
      ? readBytes(descriptor, 0, LENGTH + 1)
          .toString("latin1")
          .trimEnd()
      : "";
  });
  return SECRET.test(text) ? text : undefined;
}

const isPrivate = ({ mode }: Stats): boolean => process.getuid === undefined || (mode & 0o077) === 0;

/**
 * Makes a secret, which its owner alone can read and which is on disk, in place of a missing or invalid one. Of several processes that make
 * the first one at once, all get the same. Throws as `readSecret` does.
 */
export function makeSecret(file: string): string {
  const text = `${randomSecret()}\n`;
  if (lstatSync(file, { throwIfNoEntry: false })) replaceFileSync({ path: file, text });
  else makeFirst(file, text);
  const secret = readSecret(file);
  if (secret === undefined) throw new SharedFileError(`${file} was removed by another process`);
  return secret;
}

function makeFirst(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
  try {
    unlessTaken(() => linkSync(draft, file));
  } finally {
    rmSync(draft, { force: true });
  }
}

export const randomSecret = (): string => crypto.getRandomValues(new Uint8Array(32)).toHex();

import type { Stats } from "node:fs";
import { join } from "node:path";
import { attempt } from "../attempt.ts";
import { readBytes, readOwnFile } from "../files/read-file.ts";
import { replaceFileSync } from "../files/replace-file.ts";

/** Seals a text: the same text gives the same hash, and without the key nobody can try which text gave it. */
export type Seal = (text: string) => string;

/** The file in the folder of approvals that holds the user's key. */
const KEY_FILE = "key";

/** Bytes of the key in hexadecimal, with a newline. */
const KEY_LENGTH = 65;

/** The seal of a folder of approvals; undefined if it has no key yet that is the user's alone. Never throws. */
export function readSeal(directory: string): Seal | undefined {
  const text = attempt(() =>
    readOwnFile(join(directory, KEY_FILE), (descriptor, stats) =>
      isPrivate(stats) ? readBytes(descriptor, 0, KEY_LENGTH + 1).toString("latin1") : "",
    ),
  );
  return text !== undefined && /^[\da-f]{64}\n$/.test(text) ? sealWith(text.trimEnd()) : undefined;
}

/** The same with a new key, which is on disk: what was sealed before matches nothing. Throws what the file system says. */
export function makeSeal(directory: string): Seal {
  const key = crypto.getRandomValues(new Uint8Array(32)).toHex();
  replaceFileSync({ path: join(directory, KEY_FILE), text: `${key}\n` });
  return sealWith(key);
}

const sealWith =
  (key: string): Seal =>
  (text) =>
    new Bun.CryptoHasher("sha256", key).update(text).digest("hex");

const isPrivate = ({ uid, mode }: Stats): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);

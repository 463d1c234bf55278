import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSmallFile } from "@mdx-ai/base/disk";

/** The file in a session's folder that holds its key. */
const KEY_FILE = "id";

const KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The key of a session, which distinguishes it from all others, also from those that had its id before or get it later: random,
 * made once, kept by a rename and by /clear, not shared by a fork. Approvals "for this session" are bound to it. The caller
 * holds the session's lock. A key that is missing, unreadable or malformed is replaced, so that no approval applies.
 * Throws what the file system says.
 */
export function sessionKey(folder: string): string {
  return readSessionKey(folder) ?? makeSessionKey(folder);
}

/** The key of a session; undefined if it has none that can be read. Changes nothing. */
export function readSessionKey(folder: string): string | undefined {
  const text = keyText(folder);
  return text !== undefined && KEY.test(text) ? text : undefined;
}

/** Gives a folder that becomes a session a key of its own. Throws what the file system says. */
export function makeSessionKey(folder: string): string {
  const path = join(folder, KEY_FILE);
  const key = crypto.randomUUID();
  // Not synced: a key that a power cut takes away is replaced, and the user is asked again.
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  return key;
}

/** Bytes; a key is shorter. */
const MAX_LENGTH = 256;

/** Undefined if there is no file; empty if something else has its name. */
const keyText = (folder: string): string | undefined => readSmallFile(join(folder, KEY_FILE), MAX_LENGTH)?.trimEnd();

/**
 * The mark with which the user's programs begin a session: only a holder of `key`, a secret of the user, can make it. It holds for one agent
 * directory, by its real path, so a session that came from elsewhere, or whose directory was moved, is untrusted.
 */
export const ownerMark = (key: string, realPath: string): string =>
  digest(digest(key, realPath), "session").slice(0, MARK_LENGTH);

/** Characters of a mark, 4 bits each. */
const MARK_LENGTH = 32;

const digest = (key: string, text: string): string => new Bun.CryptoHasher("sha256", key).update(text).digest("hex");

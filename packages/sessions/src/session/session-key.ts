import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "@mdx-ai/base";
import { readSmallFile } from "@mdx-ai/base/disk";

/** The file in a session's folder with its key. */
const KEY_FILE = "id";

const KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The key of a session, unique even among earlier and later sessions with the same id: random,
 * created once, kept by a rename and by /clear, not shared by a fork. Approvals "for this session" are bound to it. The caller
 * must have the session's lock. A missing or invalid key is replaced, so that no approval applies.
 * Throws the file system's error.
 */
export function sessionKey(folder: string): string {
  return readSessionKey(folder) ?? makeSessionKey(folder);
}

/** Reads the key of a session; undefined if it is missing or unreadable. */
export function readSessionKey(folder: string): string | undefined {
  const text = keyText(folder);
  return text !== undefined && KEY.test(text) ? text : undefined;
}

/** Writes a new key into the folder of a new session. Throws the file system's error. */
export function makeSessionKey(folder: string): string {
  const path = join(folder, KEY_FILE);
  const key = crypto.randomUUID();
  // Not synced: a key that is lost in a power cut is replaced, and the user is asked again.
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  return key;
}

/** Bytes; a key is shorter. */
const MAX_LENGTH = 256;

/** Undefined if there is no file; empty if it is not a regular file. */
const keyText = (folder: string): string | undefined => readSmallFile(join(folder, KEY_FILE), MAX_LENGTH)?.trimEnd();

/**
 * The signature that the user's programs write into a session: making it requires `key`, a secret of the user. It is valid for one agent
 * directory, by real path, so a session that came from elsewhere, or whose directory was moved, is untrusted.
 */
export const ownerMark = (key: string, realPath: string): string =>
  digest(digest(key, realPath), "session").slice(0, MARK_LENGTH);

/** Characters of a signature, 4 bits each. */
const MARK_LENGTH = 32;

const digest = (key: string, text: string): string => new Bun.CryptoHasher("sha256", key).update(text).digest("hex");

/** The end of the ids of the sessions in which agents work for one session; a part for each call follows. */
export const workMark = (key: string): string => `-${sha256(key).slice(0, 8)}-`;

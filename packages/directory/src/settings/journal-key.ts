import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readOpened, replaceFileSync, requireOwn, SharedFileError, unlessTaken } from "@mdx-ai/runtime/files";

/** What a file of the key holds: 32 random bytes. */
const KEY = /^[\da-f]{64}$/;

/**
 * The user's secret that marks the sessions of all agents, from a file that is made at its first use, readable by its owner
 * alone. If others may have written it, which is a warning, or if it cannot be made, a key of this process takes its place: what
 * earlier processes wrote is foreign then. Never throws.
 */
export function journalKey(file: string, onWarning: (message: string) => void): string {
  try {
    return readKey(file) ?? makeKey(file);
  } catch (error) {
    if (error instanceof SharedFileError) {
      onWarning(`your earlier sessions are not recognised as yours: ${error.message}`);
    }
    return randomKey();
  }
}

/** Undefined if there is no file. Throws `SharedFileError`, or what the file system says. */
function readKey(file: string): string | undefined {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  requireOwn(dirname(file), statSync(dirname(file)));
  const text = readOpened(file, (descriptor, stats) => {
    requireOwn(file, stats);
    return readFileSync(descriptor, "utf8").trim();
  });
  if (KEY.test(text)) return text;
  // Only a power cut leaves a part of it.
  const key = randomKey();
  replaceFileSync({ path: file, text: `${key}\n` });
  return key;
}

/** Of several processes that make it at once, all get the same. Throws as `readKey` does. */
function makeKey(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}`;
  writeFileSync(draft, `${randomKey()}\n`, { mode: 0o600, flag: "wx" });
  try {
    unlessTaken(() => linkSync(draft, file));
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(file);
  if (key === undefined) throw new SharedFileError(`${file} was removed by another process`);
  return key;
}

const randomKey = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");

import { mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  attempt,
  type Environment,
  errorCode,
  isRecord,
  isText,
  isWithin,
  jsonValue,
  stateDirectory,
} from "@mdx-ai/base";
import {
  isNewer,
  NewerVersionError,
  readOpened,
  realPathOrSame,
  replaceFileSync,
  requireOwn,
  SharedFileError,
} from "@mdx-ai/base/disk";
import { withLock } from "@mdx-ai/base/locks";
import { type Entry, readEntries } from "../manifest/manifest.ts";

/** The file that lists the trusted directories; undefined if the user has no folder for it. */
export function trustFile(environment: Environment): string | undefined {
  const folder = stateDirectory(environment);
  return folder === undefined ? undefined : join(folder, "trust.json");
}

/** The name of what a repository holds for agents. The repository may be an agent directory, with a name of its own. */
export const repositoryName = (root: string): string => join(root, "*");

/** Whether the list is in a directory, which could then ship its own list. */
export function containsTrustFile(directory: string, file: string): boolean {
  return isWithin(directory, realPathOrSame(dirname(file)));
}

/**
 * Reads the list. A missing file is an empty list. A file that others may have written, or that a newer version wrote, trusts nothing,
 * with a warning; so does a broken file, which is renamed. Throws a file system error if the file exists and cannot be
 * read.
 */
export function readTrustFile(file: string, onWarning: (message: string) => void): TrustedDirectories {
  try {
    return readPrivateTrust(file, onWarning);
  } catch (error) {
    if (!(error instanceof SharedFileError || error instanceof NewerVersionError)) throw error;
    onWarning(`no directory is trusted: ${error.message}`);
    return new Map();
  }
}

/** As `readTrustFile`, but throws `SharedFileError` if others may have written the list, or `NewerVersionError`. */
function readPrivateTrust(file: string, onWarning: (message: string) => void): TrustedDirectories {
  const text = readText(file);
  if (text === undefined) return new Map();
  const value: unknown = jsonValue(text);
  if (isRecord(value) && isNewer(value["version"], TRUST_VERSION)) throw new NewerVersionError(file);
  const trusted = trustedDirectories(value);
  if (trusted !== undefined) return trusted;
  const aside = `${file}.broken-${crypto.randomUUID().slice(0, 8)}`;
  onWarning(`the list of trusted directories is broken and was renamed to ${aside}; no directory is trusted`);
  // Another process may have renamed it already, and in a read-only folder it stays.
  attempt(() => renameSync(file, aside));
  return new Map();
}

/**
 * Changes the list under a lock. Rejects with `LockHeldError` if another process keeps the lock for ten seconds, with
 * `SharedFileError` if others may have written it, with `NewerVersionError`, or with a file system error.
 */
export async function changeTrustFile(
  file: string,
  change: (trusted: Map<string, TrustRecord>) => void,
  onWarning: (message: string) => void,
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A list in a folder that others can write is not believed.
  requireOwn(dirname(file), statSync(dirname(file)));
  await withLock(`${file}.lock`, () => {
    const trusted = new Map(readPrivateTrust(file, onWarning));
    change(trusted);
    const content = { version: TRUST_VERSION, directories: Object.fromEntries([...trusted].sort()) };
    replaceFileSync({ path: file, text: `${JSON.stringify(content)}\n` });
  });
}

/** The errors for a missing file. */
const ABSENCES: readonly unknown[] = ["ENOENT", "ENOTDIR"];

/** Undefined if there is no file. Also checks the folder, since anyone who can write there can replace the file. */
function readText(file: string): string | undefined {
  try {
    const text = readOpened(file, (descriptor, stats) => {
      requireOwn(file, stats);
      return readFileSync(descriptor, "utf8");
    });
    requireOwn(dirname(file), statSync(dirname(file)));
    return text;
  } catch (error) {
    if (ABSENCES.includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** The trust of one directory. */
export interface TrustRecord {
  /** ISO 8601. */
  readonly since: string;
  /** The hash of everything that could execute at that time. */
  readonly hash: string;
  /** Whether it stays trusted after any change. */
  readonly edits?: true;
  /** Whether the user refused this state, which then is not asked about again. Only of what a repository holds for agents. */
  readonly isRefused?: true;
  /** Everything that could execute at that time, and its capabilities. */
  readonly entries: readonly Entry[];
}

/** Real paths of the directories that the user trusts. */
export type TrustedDirectories = ReadonlyMap<string, TrustRecord>;

/** The version of the format. */
const TRUST_VERSION = 1;

/** Validates the content of the trust file; undefined if it is broken. */
function trustedDirectories(value: unknown): TrustedDirectories | undefined {
  if (!isRecord(value) || value["version"] !== TRUST_VERSION || !isRecord(value["directories"])) return undefined;
  const trusted = new Map<string, TrustRecord>();
  for (const [path, entry] of Object.entries(value["directories"])) {
    if (!isTrustRecord(entry)) return undefined;
    trusted.set(path, entry);
  }
  return trusted;
}

function isTrustRecord(value: unknown): value is TrustRecord {
  if (!isRecord(value)) return false;
  const { since, hash, edits, isRefused, entries } = value;
  const isMarked = [edits, isRefused].every((mark) => mark === undefined || mark === true);
  return isText(since) && isText(hash) && isMarked && readEntries(entries) !== undefined;
}

import { isRecord } from "../record.ts";

/** What the user trusts of one directory. */
export interface TrustRecord {
  /** ISO 8601. */
  readonly since: string;
  /** Of all that could execute then; absent where it was written before trust was bound to that, and is to be confirmed. */
  readonly hash?: string;
  /** Whether it is trusted whatever it comes to hold. */
  readonly edits?: true;
  /** What could execute then, by name. */
  readonly entries: Readonly<Record<string, string>>;
}

/** Real paths of the directories that the user trusts. */
export type TrustedDirectories = ReadonlyMap<string, TrustRecord>;

/** Narrows what the trust file says; undefined where it is broken, or of a version that is not known. */
export function trustedDirectories(value: unknown): TrustedDirectories | undefined {
  if (!isRecord(value) || !isRecord(value["directories"])) return undefined;
  const read = READERS.get(value["version"]);
  if (read === undefined) return undefined;
  const trusted = new Map<string, TrustRecord>();
  for (const [path, entry] of Object.entries(value["directories"])) {
    const record = read(entry);
    if (record === undefined) return undefined;
    trusted.set(path, record);
  }
  return trusted;
}

/** The version in which trust is written. */
export const TRUST_VERSION = 2;

const READERS: ReadonlyMap<unknown, (entry: unknown) => TrustRecord | undefined> = new Map([
  [1, (entry) => (typeof entry === "string" ? { since: entry, entries: {} } : undefined)],
  [TRUST_VERSION, (entry) => (isTrustRecord(entry) ? entry : undefined)],
]);

function isTrustRecord(value: unknown): value is TrustRecord {
  if (!isRecord(value)) return false;
  const { since, hash, edits, entries } = value;
  const isMarked = (hash === undefined || typeof hash === "string") && (edits === undefined || edits === true);
  return typeof since === "string" && isMarked && isRecord(entries) && Object.values(entries).every(isText);
}

const isText = (value: unknown): boolean => typeof value === "string";

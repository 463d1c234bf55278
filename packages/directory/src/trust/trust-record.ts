import { isRecord } from "@mdx-ai/runtime/record";

/** The trust of one directory. */
export interface TrustRecord {
  /** ISO 8601. */
  readonly since: string;
  /** The hash of everything that could execute then; absent in a record of version 1, which the user must confirm. */
  readonly hash?: string;
  /** Whether it stays trusted whatever changes. */
  readonly edits?: true;
  /** What could execute then, by name. */
  readonly entries: Readonly<Record<string, string>>;
}

/** Real paths of the directories that the user trusts. */
export type TrustedDirectories = ReadonlyMap<string, TrustRecord>;

/** Validates the content of the trust file; undefined if it is broken or of an unknown version. */
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

/** The version of the format that is written. */
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

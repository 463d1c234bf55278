import { realpathSync } from "node:fs";
import type { Manifest } from "../manifest/manifest.ts";
import { executableHash, trustEntries } from "../manifest/trust-entries.ts";
import { type Surroundings, warn } from "../surroundings.ts";
import { changeTrustFile } from "./trust-file.ts";
import type { TrustRecord } from "./trust-record.ts";
import { usableTrustFile } from "./trust-state.ts";

/** The record of a directory in its current state; with `withEdits` it stays trusted whatever changes. */
export function trustRecordOf(manifest: Manifest, withEdits = false): TrustRecord {
  return {
    since: new Date().toISOString(),
    hash: executableHash(manifest),
    ...(withEdits && { edits: true }),
    entries: Object.fromEntries(trustEntries(manifest)),
  };
}

export interface KeptTrust {
  /** The list, as `usableTrustFile` gives it. */
  readonly file: string;
  /** The real path of the directory. */
  readonly path: string;
  readonly record: TrustRecord;
}

/** Trusts a directory in its current state; does nothing if there is no list. Rejects with a file system error. */
export async function keepTrustOf(directory: string, manifest: Manifest, surroundings: Surroundings): Promise<void> {
  const path = realpathSync.native(directory);
  const file = usableTrustFile(path, surroundings);
  if (file !== undefined) await keepTrust({ file, path, record: trustRecordOf(manifest) }, surroundings);
}

/** Adds a directory to the list. Rejects with a file system error. */
export function keepTrust({ file, path, record }: KeptTrust, surroundings: Surroundings): Promise<void> {
  return changeTrustFile(file, (trusted) => trusted.set(path, record), warn(surroundings));
}

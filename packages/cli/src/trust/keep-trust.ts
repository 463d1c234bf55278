import { realpathSync } from "node:fs";
import type { CommandContext } from "../command-context.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { executableHash, trustEntries } from "../manifest/trust-entries.ts";
import { changeTrustFile } from "./trust-file.ts";
import type { TrustRecord } from "./trust-record.ts";
import { usableTrustFile, warn } from "./trust-state.ts";

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
export async function keepTrustOf(directory: string, manifest: Manifest, context: CommandContext): Promise<void> {
  const path = realpathSync.native(directory);
  const file = usableTrustFile(path, context);
  if (file !== undefined) await keepTrust({ file, path, record: trustRecordOf(manifest) }, context);
}

/** Adds a directory to the list. Rejects with a file system error. */
export function keepTrust({ file, path, record }: KeptTrust, context: CommandContext): Promise<void> {
  return changeTrustFile(file, (trusted) => trusted.set(path, record), warn(context));
}

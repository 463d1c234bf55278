import { realpathSync } from "node:fs";
import { SharedFileError } from "@mdx-ai/base/disk";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { Manifest } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { executableHash, type ManifestChange, manifestChanges, trustEntries } from "../manifest/trust-entries.ts";
import { type Surroundings, warn } from "../surroundings.ts";
import { changeTrustFile, holdsTrustFile, readTrustFile, type TrustRecord, trustFile } from "./trust-file.ts";
import { requireOwnEdits } from "./trusted-directory.ts";

/** The trust in a directory and its current contents. */
export interface TrustState {
  /** Whether its current state is trusted. */
  readonly isTrusted: boolean;
  /** The changes since the user trusted it; empty if the user never did. */
  readonly changes: readonly ManifestChange[];
  readonly manifest: Manifest;
}

/**
 * Compares what can execute now, without running it, with the trust record. `since` is what this process may already run: an
 * equal state is trusted, too, and changes count from it. Rejects with `DirectoryError` ("too_large").
 */
export async function changesSinceTrust(
  directory: AgentDirectory,
  surroundings: Surroundings,
  since?: Manifest,
): Promise<TrustState> {
  const manifest = await readManifest(directory);
  const record = trustRecord(directory.path, surroundings);
  const before = since === undefined ? recordedEntries(record) : trustEntries(since);
  const changes = before === undefined ? [] : manifestChanges(before, trustEntries(manifest));
  const isSame = since !== undefined && changes.length === 0;
  const isTrusted =
    isSame ||
    record?.hash === executableHash(manifest) ||
    (record?.edits === true && areOwnEdits(directory.path, manifest, warn(surroundings)));
  return { isTrusted, changes, manifest };
}

/** Whether nobody else could edit the directory since it was trusted with its edits; otherwise this is a warning. */
function areOwnEdits(directory: string, manifest: Manifest, onWarning: (message: string) => void): boolean {
  try {
    requireOwnEdits(realpathSync.native(directory), manifest);
    return true;
  } catch (error) {
    if (!(error instanceof SharedFileError)) throw error;
    onWarning(`the edits of the directory are not trusted: ${error.message}`);
    return false;
  }
}

/** The record of a directory, by its real path. */
export function trustRecord(directory: string, surroundings: Surroundings): TrustRecord | undefined {
  const path = realpathSync.native(directory);
  const file = usableTrustFile(path, surroundings);
  return file === undefined ? undefined : readTrustFile(file, warn(surroundings)).get(path);
}

/** The path of the list; undefined if there is none, or it is within the directory, which must not trust itself. */
export function usableTrustFile(path: string, surroundings: Surroundings): string | undefined {
  const file = trustFile(surroundings.environment);
  return file === undefined || holdsTrustFile(path, file) ? undefined : file;
}

/** Undefined if there is nothing to compare with. */
function recordedEntries(record: TrustRecord | undefined): ReadonlyMap<string, string> | undefined {
  return record === undefined ? undefined : new Map(Object.entries(record.entries));
}

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

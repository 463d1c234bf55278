import { realpathSync } from "node:fs";
import type { AgentDirectory } from "@mdx-ai/parser";
import { SharedFileError } from "@mdx-ai/runtime/files";
import type { CommandContext } from "../command-context.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { type ManifestChange, manifestChanges } from "../manifest/manifest-changes.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { executableHash, trustEntries } from "../manifest/trust-entries.ts";
import { plainLine } from "../plain-text.ts";
import { requireOwnEdits } from "./own-edits.ts";
import { holdsTrustFile, readTrustFile, trustFile } from "./trust-file.ts";
import type { TrustRecord } from "./trust-record.ts";

/** The trust in a directory and its current contents. */
export interface TrustState {
  /** Whether its current state is trusted. */
  readonly isTrusted: boolean;
  /** The changes since the user trusted it; empty if the user never did. */
  readonly changes: readonly ManifestChange[];
  /** Whether its record is of version 1, which lacks a hash. */
  readonly isUnconfirmed: boolean;
  readonly manifest: Manifest;
}

/**
 * Compares what can execute now, without running it, with the trust record. `since` is what this process may already run: an
 * equal state is trusted, too, and changes count from it. Rejects with `ManifestLimitError`.
 */
export async function changesSinceTrust(
  directory: AgentDirectory,
  context: CommandContext,
  since?: Manifest,
): Promise<TrustState> {
  const manifest = await readManifest(directory, warn(context));
  const record = trustRecord(directory.path, context);
  const before = since === undefined ? recordedEntries(record) : trustEntries(since);
  const changes = before === undefined ? [] : manifestChanges(before, trustEntries(manifest));
  const isSame = since !== undefined && changes.length === 0;
  const isTrusted =
    isSame ||
    record?.hash === executableHash(manifest) ||
    (record?.edits === true && areOwnEdits(directory.path, manifest, warn(context)));
  return {
    isTrusted,
    changes,
    isUnconfirmed: record !== undefined && !record.edits && record.hash === undefined,
    manifest,
  };
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
export function trustRecord(directory: string, context: CommandContext): TrustRecord | undefined {
  const path = realpathSync.native(directory);
  const file = usableTrustFile(path, context);
  return file === undefined ? undefined : readTrustFile(file, warn(context)).get(path);
}

/** The path of the list; undefined if there is none, or it is within the directory, which must not trust itself. */
export function usableTrustFile(path: string, context: CommandContext): string | undefined {
  const file = trustFile(context.environment);
  return file === undefined || holdsTrustFile(path, file) ? undefined : file;
}

/** Prints a warning on standard error. */
export const warn =
  (context: CommandContext) =>
  (message: string): void =>
    context.stderr.write(`mdx-ai: warning: ${plainLine(message)}\n`);

/** Undefined if there is nothing to compare with. */
function recordedEntries(record: TrustRecord | undefined): ReadonlyMap<string, string> | undefined {
  return record?.hash === undefined ? undefined : new Map(Object.entries(record.entries));
}

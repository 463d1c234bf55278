import { realpathSync } from "node:fs";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { type ManifestChange, manifestChanges } from "../manifest/manifest-changes.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { executableHash, trustEntries } from "../manifest/trust-entries.ts";
import { plainLine } from "../plain-text.ts";
import { holdsTrustFile, readTrustFile, trustFile } from "./trust-file.ts";
import type { TrustRecord } from "./trust-record.ts";

/** What the user said of a directory, beside what it holds now. */
export interface TrustState {
  /** Whether the user's list trusts what it holds now. */
  readonly isTrusted: boolean;
  /** What is not as it was when the user trusted it; empty where the user never did. */
  readonly changes: readonly ManifestChange[];
  /** Whether the list has it from a time when trust was not bound to what a directory holds. */
  readonly isUnconfirmed: boolean;
  readonly manifest: Manifest;
}

/**
 * Looks at what can execute now, running none of it. `since` is what this process was allowed to run: what is equal to it is
 * trusted, too, and changes are told from there. Rejects with `ManifestLimitError`.
 */
export async function changesSinceTrust(
  directory: AgentDirectory,
  context: CommandContext,
  since?: Manifest,
): Promise<TrustState> {
  const manifest = await readManifest(directory);
  const record = trustRecord(directory.path, context);
  const before = since === undefined ? recordedEntries(record) : trustEntries(since);
  const changes = before === undefined ? [] : manifestChanges(before, trustEntries(manifest));
  const isSame = since !== undefined && changes.length === 0;
  const isTrusted = isSame || record?.edits === true || record?.hash === executableHash(manifest);
  return {
    isTrusted,
    changes,
    isUnconfirmed: record !== undefined && !record.edits && record.hash === undefined,
    manifest,
  };
}

/** What the user's list says of the real path of a directory. */
export function trustRecord(directory: string, context: CommandContext): TrustRecord | undefined {
  const path = realpathSync.native(directory);
  const file = usableTrustFile(path, context);
  return file === undefined ? undefined : readTrustFile(file, warn(context)).get(path);
}

/** The list, unless there is none or it lies within the directory itself, which must not grant itself trust. */
export function usableTrustFile(path: string, context: CommandContext): string | undefined {
  const file = trustFile(context.environment);
  return file === undefined || holdsTrustFile(path, file) ? undefined : file;
}

/** Tells a warning on standard error. */
export const warn =
  (context: CommandContext) =>
  (message: string): void =>
    context.stderr.write(`mdx-ai: warning: ${plainLine(message)}\n`);

/** Undefined where there is nothing to compare with. */
function recordedEntries(record: TrustRecord | undefined): ReadonlyMap<string, string> | undefined {
  return record?.hash === undefined ? undefined : new Map(Object.entries(record.entries));
}

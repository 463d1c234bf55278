import { isWithin } from "@mdx-ai/base";
import { SharedFileError } from "@mdx-ai/base/disk";
import type { AgentDirectory } from "@mdx-ai/parser";
import { type FrontEnd, warn } from "../front-end.ts";
import { type Change, difference } from "../manifest/difference.ts";
import { agreedEntries, agreedHash, type Manifest } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { changeTrustFile, containsTrustFile, readTrustFile, type TrustRecord, trustFile } from "./trust-file.ts";
import { requireExclusiveEdits } from "./trusted-directory.ts";

/** The trust in a directory and its current contents. */
export interface TrustState {
  /** Whether its current state is trusted. */
  readonly isTrusted: boolean;
  /** The changes since the user trusted it; empty if the user never did. */
  readonly changes: readonly Change[];
  readonly manifest: Manifest;
}

/**
 * Compares everything that can execute now with the trust record, without running it. `since` is the state that this process may already run: an
 * equal state is trusted, too, and changes are relative to it. Rejects with `DirectoryError` ("too_large").
 */
export async function changesSinceTrust(
  directory: AgentDirectory,
  frontEnd: FrontEnd,
  since?: Manifest,
): Promise<TrustState> {
  const manifest = await readManifest(directory);
  const record = trustRecord(directory, frontEnd);
  const before = since === undefined ? record?.entries : agreedEntries(since);
  const changes = before === undefined ? [] : difference(before, agreedEntries(manifest));
  const isSame = since !== undefined && changes.length === 0;
  const isTrusted =
    isSame ||
    record?.hash === agreedHash(manifest) ||
    (record?.edits === true && areExclusiveEdits(directory, manifest, warn(frontEnd)));
  return { isTrusted, changes, manifest };
}

/** Whether only the user can edit a directory that was trusted with its edits. If not, warns. */
function areExclusiveEdits(
  directory: AgentDirectory,
  manifest: Manifest,
  onWarning: (message: string) => void,
): boolean {
  try {
    requireExclusiveEdits(directory, manifest);
    return true;
  } catch (error) {
    if (!(error instanceof SharedFileError)) throw error;
    onWarning(`the edits of the directory are not trusted: ${error.message}`);
    return false;
  }
}

/** The name of an agent on the list: the real path of its directory, or of its file. */
export const trustedPath = ({ realPath, source }: Pick<AgentDirectory, "realPath" | "source">): string =>
  source ?? realPath;

/** The record of a directory. */
export function trustRecord(
  directory: Pick<AgentDirectory, "realPath" | "source">,
  frontEnd: FrontEnd,
): TrustRecord | undefined {
  const path = trustedPath(directory);
  const file = usableTrustFile(path, frontEnd);
  return file === undefined ? undefined : readTrustFile(file, warn(frontEnd)).get(path);
}

/** The path of the list; undefined if there is none, or if it is in the directory, which must not trust itself. */
export function usableTrustFile(path: string, frontEnd: FrontEnd): string | undefined {
  const file = trustFile(frontEnd.environment);
  return file === undefined || containsTrustFile(path, file) ? undefined : file;
}

/** The record of a directory in its current state. With `withEdits`, it stays trusted after any change. */
export function trustRecordOf(manifest: Manifest, withEdits = false): TrustRecord {
  return {
    since: new Date().toISOString(),
    hash: agreedHash(manifest),
    ...(withEdits && { edits: true }),
    entries: agreedEntries(manifest),
  };
}

export interface KeptTrust {
  /** The list, from `usableTrustFile`. */
  readonly file: string;
  /** The real path of the directory. */
  readonly path: string;
  readonly record: TrustRecord;
}

/** Trusts a directory in its current state; does nothing if there is no list. Rejects with a file system error. */
export async function keepTrustOf(directory: AgentDirectory, manifest: Manifest, frontEnd: FrontEnd): Promise<void> {
  const path = trustedPath(directory);
  const file = usableTrustFile(path, frontEnd);
  if (file !== undefined) await keepTrust({ file, path, record: trustRecordOf(manifest) }, frontEnd);
}

/** Adds a directory to the list. Rejects with a file system error. */
export function keepTrust({ file, path, record }: KeptTrust, frontEnd: FrontEnd): Promise<void> {
  return changeTrustFile(file, (trusted) => trusted.set(path, record), warn(frontEnd));
}

/** Removes paths, and all below them, from the list of trusted directories. Rejects with a file system error. */
export async function forgetTrusted(paths: readonly string[], frontEnd: FrontEnd): Promise<void> {
  const file = usableTrustFile(paths[0] ?? "/", frontEnd);
  if (file === undefined) return;
  const forget = (trusted: Map<string, TrustRecord>): void => {
    for (const name of [...trusted.keys()]) if (paths.some((path) => isWithin(path, name))) trusted.delete(name);
  };
  await changeTrustFile(file, forget, warn(frontEnd));
}

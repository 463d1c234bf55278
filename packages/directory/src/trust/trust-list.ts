import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { DirectoryError } from "../directory-error.ts";
import { type FrontEnd, warn } from "../front-end.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { readRunnable } from "../reading/read-directory.ts";
import {
  changeTrustFile,
  readTrustFile,
  repositoryName,
  type TrustedDirectories,
  type TrustRecord,
  trustFile,
} from "./trust-file.ts";
import { keepTrust, trustedPath, trustRecordOf, usableTrustFile } from "./trust-state.ts";
import { hasExclusiveEdits, requireExclusiveEdits } from "./trusted-directory.ts";

/** The trusted directories, by real path. Throws `DirectoryError` ("trust_list") if there is no list. */
export const trustedDirectories = (frontEnd: FrontEnd): TrustedDirectories =>
  readTrustFile(requireTrustFile(frontEnd), warn(frontEnd));

/** Whether a directory can be on the list: a directory that contains the list must not trust itself. */
export const canBeTrusted = (path: string, frontEnd: FrontEnd): boolean =>
  usableTrustFile(listedPath(path, frontEnd), frontEnd) !== undefined;

export interface TrustedEdits {
  /** Whether it stays trusted after edits. Requires that only the user can edit it. */
  readonly edits: "no" | "if_own" | "required";
}

/** A directory that was added to the list. */
export interface ListedDirectory {
  /** The real path. */
  readonly path: string;
  readonly record: TrustRecord;
  readonly manifest: Manifest;
}

/**
 * Trusts a directory in its current state. Runs none of its code. Rejects with `DirectoryError`, with `SharedFileError` if
 * others can edit files that only the user should, or with a file system error.
 */
export async function trustDirectory(
  path: string,
  { edits }: TrustedEdits,
  frontEnd: FrontEnd,
): Promise<ListedDirectory> {
  requireTrustFile(frontEnd);
  const read = await readRunnable(path, frontEnd);
  const real = trustedPath(read);
  const file = usableTrustFile(real, frontEnd);
  if (file === undefined) {
    const message = `${real} contains the list of trusted directories itself; allow single runs with --trust`;
    throw new DirectoryError("trust_list", message);
  }
  const manifest = await readManifest(read);
  if (edits === "required") requireExclusiveEdits(read, manifest);
  const record = trustRecordOf(manifest, edits !== "no" && hasExclusiveEdits(read, manifest));
  await keepTrust({ file, path: real, record }, frontEnd);
  return { path: real, record, manifest };
}

/**
 * Removes a directory and the parts of its repository from the list, even if it no longer exists; returns its listed path. Rejects as
 * `trustDirectory` does.
 */
export async function withdrawTrust(path: string, frontEnd: FrontEnd): Promise<string> {
  const file = requireTrustFile(frontEnd);
  const real = listedPath(path, frontEnd);
  const listed = readTrustFile(file, warn(frontEnd));
  const names = [real, repositoryName(real)].filter((name) => listed.has(name));
  if (names.length === 0) {
    const message = `${real} is not on the list of trusted directories; see mdx-ai trust --list`;
    throw new DirectoryError("trust_list", message);
  }
  const remove = (trusted: Map<string, TrustRecord>): void => {
    for (const name of names) trusted.delete(name);
  };
  await changeTrustFile(file, remove, warn(frontEnd));
  return real;
}

/** The name of a path on the list. The path need not exist. */
function listedPath(path: string, { currentDirectory }: FrontEnd): string {
  const given = resolve(currentDirectory, path);
  return existsSync(given) ? realpathSync.native(given) : given;
}

function requireTrustFile({ environment }: FrontEnd): string {
  const file = trustFile(environment);
  if (file !== undefined) return file;
  const message = "there is no folder for the trust list: set HOME, or XDG_STATE_HOME to an absolute path";
  throw new DirectoryError("trust_list", message);
}

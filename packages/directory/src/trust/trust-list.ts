import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { DirectoryError } from "../directory-error.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { readRunnable } from "../reading/read-directory.ts";
import { type Surroundings, warn } from "../surroundings.ts";
import { changeTrustFile, readTrustFile, type TrustedDirectories, type TrustRecord, trustFile } from "./trust-file.ts";
import { keepTrust, trustedPath, trustRecordOf, usableTrustFile } from "./trust-state.ts";
import { hasOwnEdits, requireOwnEdits } from "./trusted-directory.ts";

/** The directories that the user trusts, by their real paths. Throws `DirectoryError` ("trust_list") if there is no list. */
export const trustedDirectories = (surroundings: Surroundings): TrustedDirectories =>
  readTrustFile(requireTrustFile(surroundings), warn(surroundings));

/** Whether a directory can be put on the list: one that holds the list must not trust itself. */
export const canBeTrusted = (path: string, surroundings: Surroundings): boolean =>
  usableTrustFile(listedPath(path, surroundings), surroundings) !== undefined;

export interface TrustedEdits {
  /** Whether it stays trusted whatever changes: only where all edits are its user's own, which may be required. */
  readonly edits: "no" | "if_own" | "required";
}

/** A directory that was put on the list. */
export interface ListedDirectory {
  /** The real path. */
  readonly path: string;
  readonly record: TrustRecord;
  readonly manifest: Manifest;
}

/**
 * Trusts a directory in its current state, and runs none of its code. Rejects with `DirectoryError`, with `SharedFileError` if
 * others can edit what must be the user's own, or with a file system error.
 */
export async function trustDirectory(
  path: string,
  { edits }: TrustedEdits,
  surroundings: Surroundings,
): Promise<ListedDirectory> {
  requireTrustFile(surroundings);
  const read = await readRunnable(path, surroundings);
  const real = trustedPath(read);
  const file = usableTrustFile(real, surroundings);
  if (file === undefined) {
    const message = `${real} contains the list of trusted directories itself; allow single runs with --trust`;
    throw new DirectoryError("trust_list", message);
  }
  const manifest = await readManifest(read);
  if (edits === "required") requireOwnEdits(read, manifest);
  const record = trustRecordOf(manifest, edits !== "no" && hasOwnEdits(read, manifest));
  await keepTrust({ file, path: real, record }, surroundings);
  return { path: real, record, manifest };
}

/** Takes a directory off the list, even one that is gone; returns its path there. Rejects as `trustDirectory` does. */
export async function withdrawTrust(path: string, surroundings: Surroundings): Promise<string> {
  const file = requireTrustFile(surroundings);
  const real = listedPath(path, surroundings);
  if (!readTrustFile(file, warn(surroundings)).has(real)) {
    const message = `${real} is not on the list of trusted directories; see mdx-ai trust --list`;
    throw new DirectoryError("trust_list", message);
  }
  await changeTrustFile(file, (trusted) => trusted.delete(real), warn(surroundings));
  return real;
}

/** The name of what a path names on the list, which need not exist. */
function listedPath(path: string, { currentDirectory }: Surroundings): string {
  const given = resolve(currentDirectory, path);
  return existsSync(given) ? realpathSync.native(given) : given;
}

function requireTrustFile({ environment }: Surroundings): string {
  const file = trustFile(environment);
  if (file !== undefined) return file;
  const message = "there is no folder for the trust list: set HOME, or XDG_STATE_HOME to an absolute path";
  throw new DirectoryError("trust_list", message);
}

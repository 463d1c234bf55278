import { readdirSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { attempt, sha256 } from "@mdx-ai/base";
import { readWholeFile } from "@mdx-ai/base/disk";

/** The code that may be loaded into this process. */
export interface TrustedImports {
  /** SHA-256 in hexadecimal digits of every file, by its real and absolute path. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Paths that reached some of these files through symbolic links. Absolute. */
  readonly links: readonly string[];
  /** Absent paths at which a new file would be imported instead of another. Absolute. */
  readonly absent: readonly string[];
}

/** The code differs from what the user trusted when the agent was opened, so it is not loaded. */
class UntrustedImportError extends Error {
  override readonly name = "UntrustedImportError";
  /** Absolute. */
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.path = path;
  }
}

/**
 * Compares files with the trusted hashes right before they are loaded. Throws `UntrustedImportError` if a file or a link is not
 * covered by trust, or a file exists that was absent.
 */
export function verifyImports({ hashes, links, absent }: TrustedImports): void {
  verifyFiles(hashes);
  const moved = links.find((path) => !hashes.has(attempt(() => realpathSync.native(path)) ?? ""));
  if (moved !== undefined) throw new UntrustedImportError(moved, CHANGED);
  const found = absent.find(isThere);
  if (found !== undefined) throw new UntrustedImportError(found, "was not there when the agent was trusted");
}

/** Compares files, given by real path, with their hashes. Throws `UntrustedImportError`. */
export function verifyFiles(hashes: Iterable<readonly [path: string, hash: string]>): void {
  for (const [path, hash] of hashes)
    if (attempt(() => sha256(readWholeFile(path))) !== hash) throw new UntrustedImportError(path, CHANGED);
}

const CHANGED = "has changed since it was trusted; it is not loaded";

/** Placeholders of a sandbox (empty folders or objects) and dangling links do not count as existing. */
function isThere(path: string): boolean {
  const stats = attempt(() => statSync(path));
  if (stats === undefined) return false;
  if (stats.isDirectory()) return readdirSync(path).length > 0;
  return !stats.isFile() || readWholeFile(path).toString() !== "{}\n";
}

/** The files of an agent directory that its tools may import as code, each with its hash. */
export function codeHashes(agentDir: string, hashes: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const root = attempt(() => realpathSync.native(agentDir)) ?? agentDir;
  const isOwn = (path: string): boolean => path.startsWith(root + sep) && !isInstalled(root, path);
  return Object.fromEntries([...hashes].filter(([path]) => isOwn(path) && CODE.test(path)));
}

const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/i;

/** Whether a file belongs to an installed package; the agent directory may be in a package itself. */
export const isInstalled = (root: string, path: string): boolean =>
  (path.startsWith(root + sep) ? path.slice(root.length) : path).includes(`${sep}node_modules${sep}`);

/** The name in an import without its query, which does not change the file. */
export const withoutQuery = (specifier: string): string => specifier.replace(/\?.*$/s, "");

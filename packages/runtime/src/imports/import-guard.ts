import { readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, resolve, sep } from "node:path";
import { attempt, sha256 } from "@mdx-ai/base";
import { readWholeFile } from "@mdx-ai/base/disk";
import { plugin } from "bun";
import type { TrustedImports } from "../types/agent-options.ts";
import { codeAsData, isScript, isScriptModule, isTyped, loaderOf, syntaxOf, withoutQuery } from "./module-syntax.ts";

/** Code differs from the code that the user trusted when the agent was opened, so it is not loaded. */
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
 * Makes every import of TypeScript, and of JavaScript modules that are known, from an agent directory load exactly the bytes that
 * trust covers: each file is read once, compared with its hash, and handed to Bun. Whatever else code of the directory imports
 * is compared right before it is loaded. Code of the directory that is not known is refused with `UntrustedImportError`; installed
 * packages that are not known are left alone. Holds until the next call for the directory; without `trusted` its files are loaded
 * unseen.
 */
export function guardImports(agentDir: string, trusted: TrustedImports | undefined): void {
  const root = attempt(() => realpathSync.native(agentDir)) ?? agentDir;
  const known = GUARDS.get(root);
  if (known === undefined && trusted === undefined) return;
  const guard = known ?? new ImportGuard((path) => isOwn(root, path));
  if (known === undefined) {
    if (GUARDS.size === 0) compareTargets(compareOf);
    GUARDS.set(root, guard);
    const start = [...new Set([root, agentDir])].map((folder) => RegExp.escape(folder + sep)).join("|");
    const inPackage = `(?!(?:.*[\\\\/])?node_modules[\\\\/])`;
    load(guard, new RegExp(`^(?:${start})${inPackage}[^]*\\.(?i:m?ts|tsx|mjs)${QUERY}$`));
  }
  guard.renew(trusted);
}

/**
 * The same for the imports of these files alone, each with its hash; others are loaded unseen. Holds as long as the process.
 * Throws `UntrustedImportError` if the code that imports them, in a file at `path`, takes code as data.
 */
export function guardFiles(hashes: Readonly<Record<string, string>>, code: string, path: string): void {
  const paths = Object.keys(hashes).filter((file) => isTyped(file) || isScriptModule(file));
  if (paths.length === 0) return;
  refuseData(code, path);
  const guard = new ImportGuard(() => false);
  guard.renew({ hashes: new Map(Object.entries(hashes)), links: [], absent: [] });
  load(guard, new RegExp(`^(?:${paths.map(RegExp.escape).join("|")})${QUERY}$`));
}

/** The query that an import may have after the path of its file. Bun hands it on; the file is the same. */
const QUERY = "(?:\\?[^]*)?";

/** The files of an agent directory that can be compared while they are loaded, each with its hash. */
export function ownCode(agentDir: string, hashes: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const root = attempt(() => realpathSync.native(agentDir)) ?? agentDir;
  return Object.fromEntries([...hashes].filter(([path]) => isOwn(root, path) && LOADED.test(path)));
}

/** Whether a file is in a directory, and in none of its installed packages. */
const isOwn = (root: string, path: string): boolean => path.startsWith(root + sep) && !isInstalled(root, path);

/** Whether a file belongs to an installed package, for the code of a directory that may be in one itself. */
export const isInstalled = (root: string, path: string): boolean =>
  (path.startsWith(root + sep) ? path.slice(root.length) : path).includes(`${sep}node_modules${sep}`);

const LOADED = /\.(?:m?[jt]s|[jt]sx)$/i;

/** Throws `UntrustedImportError` if a file or a link is not covered by trust, or a trusted absence is gone. */
export function verifyImports({ hashes, links, absent }: TrustedImports): void {
  const changed = [...hashes].find(([path, hash]) => attempt(() => sha256(readWholeFile(path))) !== hash)?.[0];
  const moved = links.find((path) => !hashes.has(attempt(() => realpathSync.native(path)) ?? ""));
  const refused = changed ?? moved;
  if (refused !== undefined) throw new UntrustedImportError(refused, CHANGED);
  const found = absent.find(isThere);
  if (found !== undefined) throw new UntrustedImportError(found, "was not there when the agent was trusted");
}

/** A sandbox's empty placeholder, a folder or an object, does not count, nor does a dangling link. */
function isThere(path: string): boolean {
  const stats = attempt(() => statSync(path));
  if (stats === undefined) return false;
  if (stats.isDirectory()) return readdirSync(path).length > 0;
  return !stats.isFile() || readWholeFile(path).toString() !== "{}\n";
}

const CHANGED = "has changed since it was trusted; it is not loaded";

/** Bun's plugins belong to the process and cannot be removed, so their data does, too, by real agent directories. */
const GUARDS = new Map<string, ImportGuard>();

function compareOf(importer: string): ((target: ImportTarget) => void) | undefined {
  const guard = GUARDS.values().find((one) => one.knows(importer));
  return guard && ((target) => guard.compare(target));
}

class ImportGuard {
  /** Whether a real path is in the directory, and in none of its installed packages. */
  readonly #isOwn: (path: string) => boolean;
  #hashes: ReadonlyMap<string, string> | undefined;
  readonly #scripts = new Set<string>();
  /** The modules that Bun has loaded or is loading, by its names: they are not loaded again. */
  readonly #compared = new Set<string>();

  constructor(isOwn: (path: string) => boolean) {
    this.#isOwn = isOwn;
  }

  renew(trusted: TrustedImports | undefined): void {
    this.#hashes = trusted?.hashes;
    this.#compared.clear();
    // Only of known files is it certain that they are no CommonJS, which a plugin cannot load.
    const modules = [...(trusted?.hashes.keys() ?? [])].filter((path) => this.#isOwn(path) && isScriptModule(path));
    const added = modules.filter((path) => !this.#scripts.has(path));
    if (added.length === 0) return;
    for (const path of added) this.#scripts.add(path);
    load(this, new RegExp(`^(?:${added.map(RegExp.escape).join("|")})${QUERY}$`));
  }

  /** Whether code of the directory that trust covers is in a file. */
  knows(file: string): boolean {
    return this.#isOwn(file) && this.#hashes?.has(file) === true;
  }

  /** Compares the target of an import, given by its real path, unless `read` does. Throws `UntrustedImportError`. */
  compare({ name, path, written }: ImportTarget): void {
    if (this.#compared.has(name) || (this.#isOwn(path) && (isTyped(path) || this.#scripts.has(path)))) return;
    const hash = this.#hashes?.get(path);
    if (hash === undefined) {
      // A link that leads out of the directory belongs to the directory.
      if ((this.#isOwn(path) || this.#isOwn(written)) && isScript(path))
        throw new UntrustedImportError(written, UNKNOWN);
    } else if (hash !== sha256(readWholeFile(path))) throw new UntrustedImportError(path, CHANGED);
    this.#compared.add(name);
  }

  /** Throws `UntrustedImportError`. */
  read(path: string): string {
    const bytes = readWholeFile(path);
    if (this.#hashes !== undefined) {
      const hash = this.#hashes.get(realpathSync.native(path));
      if (hash === undefined) throw new UntrustedImportError(path, UNKNOWN);
      if (hash !== sha256(bytes)) throw new UntrustedImportError(path, CHANGED);
    }
    const text = bytes.toString("utf8");
    refuseData(text, path);
    if (syntaxOf(text, path) === "commonjs")
      throw new UntrustedImportError(path, "is CommonJS; give it the ending .cts or .cjs");
    return text;
  }
}

const UNKNOWN =
  "is not covered by trust, since no trusted file imports it by a literal name; put code with a computed name into modules/ or tools/";

function load(guard: ImportGuard, filter: RegExp): void {
  plugin({
    name: "agent-imports",
    setup: (build) => {
      build.onLoad({ filter }, ({ path }) => {
        const file = withoutQuery(path);
        return { contents: guard.read(file), loader: loaderOf(file) };
      });
    },
  });
}

function refuseData(code: string, path: string): void {
  const data = codeAsData(code, path);
  if (data === undefined) return;
  const { specifier, type } = data;
  throw new UntrustedImportError(path, `imports ${specifier} as ${type}, but ${AS_CODE}`);
}

const AS_CODE = "what is code by its name is loaded as code alone; read it with Bun.file, or give it another ending";

/** The target of an import. */
interface ImportTarget {
  /** As Bun names what it loads, with a query. */
  readonly name: string;
  /** The file, real and absolute. */
  readonly path: string;
  /** The path as it is written, before links are followed; the file itself if no path is written. Absolute. */
  readonly written: string;
}

/**
 * Calls `compare` with each later import, once it is found and before it is loaded; what that throws, the import
 * throws. `compareOf` gives it for the file that holds the import, or undefined. Bun asks only about imports with the ending of a
 * file, and as long as the process lasts.
 */
function compareTargets(compareOf: (importer: string) => ((target: ImportTarget) => void) | undefined): void {
  let isFinding = false;
  const find = (specifier: string, importer: string): ImportTarget | undefined => {
    // This asks the same plugin.
    isFinding = true;
    try {
      return importTarget(specifier, dirname(importer));
    } finally {
      isFinding = false;
    }
  };
  const onResolve = ({ path, importer }: Pick<Bun.OnResolveArgs, "path" | "importer">): undefined => {
    const file = withoutQuery(importer);
    const compare = isFinding ? undefined : compareOf(file);
    const target = compare && find(path, file);
    if (target !== undefined) compare?.(target);
  };
  plugin({
    name: "agent-targets",
    setup: (build) => {
      build.onResolve({ filter: /^/ }, onResolve);
    },
  });
}

/** Finds the target of an import in a folder's code; undefined if it is part of Bun, or does not exist. */
function importTarget(specifier: string, folder: string): ImportTarget | undefined {
  const name = attempt(() => Bun.resolveSync(specifier, folder));
  if (name === undefined || !isAbsolute(name)) return undefined;
  const path = attempt(() => realpathSync.native(withoutQuery(name)));
  if (path === undefined) return undefined;
  const isPath = /^\.{1,2}\//.test(specifier) || isAbsolute(specifier);
  return { name, path, written: isPath ? resolve(folder, withoutQuery(specifier)) : path };
}

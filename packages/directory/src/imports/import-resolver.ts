import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { attempt, foldersFrom, jsonValue } from "@mdx-ai/base";
import { withoutQuery } from "@mdx-ai/sandbox/imports";

/** The files that an import may lead to. */
export interface ImportTargets {
  /** Existing files. Absolute. Several if it is not certain which one Bun would take. */
  readonly files: readonly string[];
  /** Missing paths where a new file or folder would take precedence. Absolute. */
  readonly shadows: readonly string[];
}

const NOWHERE: ImportTargets = { files: [], shadows: [] };

/**
 * Resolves imports. Bun caches the entries of folders and would miss a newer file that takes precedence:
 * so paths are resolved here, and every possible file counts.
 */
export class ImportResolver {
  readonly #folders = new Map<string, ReadonlyMap<string, Dirent>>();

  /** Returns the targets of an import in a folder's code; none for a Bun module. */
  targets(specifier: string, folder: string): ImportTargets {
    const path = pathOf(specifier, folder);
    if (path !== undefined) return this.#candidates(path);
    if (isBuiltin(specifier) || /^\w+:/.test(specifier)) return NOWHERE;
    return { files: packageFiles(specifier, folder), shadows: this.#nearerPackages(specifier, folder) };
  }

  /** Whether a specifier names a package that is installed for a folder's code. */
  isInstalled(specifier: string, folder: string): boolean {
    const name = packageName(specifier);
    return name !== undefined && foldersFrom(folder).some((place) => this.#hasPackage(place, name));
  }

  /** Whether a file or a link to one exists. A link counts as a file unless it leads to a non-empty folder. */
  isFile(path: string): boolean {
    const entry = this.#entry(path);
    if (entry === undefined || entry.isDirectory()) return false;
    return !entry.isSymbolicLink() || this.#list(path).size === 0;
  }

  #candidates(path: string): ImportTargets {
    if (this.isFile(path)) return { files: [path], shadows: [] };
    const own = this.#variants(path);
    const described = join(path, "package.json");
    if (!this.isFile(described)) return { ...own, shadows: [...own.shadows, described] };
    const main = mainOf(described);
    const meant = main === undefined ? NOWHERE : this.#variants(resolve(path, main));
    const files = [...own.files, described, ...packageFiles(path, path), ...meant.files];
    return { files: [...new Set(files)], shadows: [...own.shadows, ...meant.shadows] };
  }

  /** Every path that Bun tries for `path`, except those that a package.json there names. */
  #variants(path: string): ImportTargets {
    const endings = ENDINGS.flatMap((ending) => [path + ending, join(path, `index${ending}`)]);
    const names = [path, ...typedTwins(path), ...endings];
    return {
      files: names.filter((name) => this.isFile(name)),
      shadows: names.filter((name) => this.#entry(name) === undefined),
    };
  }

  /** The missing `node_modules` folders that would be searched before the folder with the package. */
  #nearerPackages(specifier: string, folder: string): readonly string[] {
    const name = packageName(specifier);
    if (name === undefined) return [];
    const folders = foldersFrom(folder);
    const found = folders.findIndex((place) => this.#hasPackage(place, name));
    const nearer = folders.slice(0, found === -1 ? undefined : found).map((place) => join(place, "node_modules"));
    return nearer.filter((place) => this.#entry(place) === undefined);
  }

  #hasPackage(folder: string, name: string): boolean {
    return this.#entry(join(folder, "node_modules", name)) !== undefined;
  }

  #entry(path: string): Dirent | undefined {
    return this.#list(dirname(path)).get(basename(path));
  }

  #list(folder: string): ReadonlyMap<string, Dirent> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const found = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    const entries = new Map(found.map((entry) => [entry.name, entry] as const));
    this.#folders.set(folder, entries);
    return entries;
  }
}

/** The extensions that Bun tries. */
const ENDINGS = [".tsx", ".jsx", ".ts", ".mts", ".cts", ".mjs", ".js", ".cjs", ".json", ".node", ".wasm"];

/** Paths such as `x.ts` that Bun accepts for an import of `x.js`, following TypeScript's convention. */
function typedTwins(path: string): readonly string[] {
  const [, stem, kind] = /^(.*)\.([cm]?)jsx?$/.exec(path) ?? [];
  if (stem === undefined) return [];
  return (kind === "" ? ["ts", "tsx", "mts"] : [`${kind}ts`]).map((ending) => `${stem}.${ending}`);
}

/** The absolute path of an import; undefined for a package. */
function pathOf(specifier: string, folder: string): string | undefined {
  const plain = withoutQuery(specifier);
  if (plain.startsWith("file:")) return attempt(() => Bun.fileURLToPath(plain));
  const isPath = /^\.{1,2}(?:\/|$)/.test(plain) || isAbsolute(plain);
  return isPath ? resolve(folder, plain) : undefined;
}

/** The package name, such as `@scope/name` of `@scope/name/part`; undefined for anything else, such as `#part`. */
export const packageName = (specifier: string): string | undefined =>
  /^(?:@[\w.~-]+\/)?[\w~][\w.~-]*(?=\/|$)/.exec(specifier)?.[0];

/** The entry file that a folder's package.json names. */
function mainOf(file: string): string | undefined {
  const value = attempt(() => jsonValue(readFileSync(file, "utf8")));
  const main = typeof value === "object" && value !== null && "main" in value ? value.main : undefined;
  return typeof main === "string" ? main : undefined;
}

/** The files that `import` and `require` resolve to, which may differ. */
function packageFiles(specifier: string, folder: string): readonly string[] {
  const found = [
    attempt(() => Bun.resolveSync(specifier, folder)),
    attempt(() => createRequire(join(folder, "code.js")).resolve(specifier)),
  ];
  return [...new Set(found)].filter((path) => path !== undefined).filter(isAbsolute);
}

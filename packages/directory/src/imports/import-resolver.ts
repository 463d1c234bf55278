import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { attempt, foldersFrom, jsonValue } from "@mdx-ai/base";
import { withoutQuery } from "@mdx-ai/sandbox/imports";

/** The files that an import may lead to. */
export interface ImportTargets {
  /** Absolute; they exist. More than one if it is not certain which one would be taken. */
  readonly files: readonly string[];
  /** Absolute. Absent paths: a new file or folder there would be taken instead of the others. */
  readonly shadows: readonly string[];
}

const NOWHERE: ImportTargets = { files: [], shadows: [] };

/**
 * Finds the files of imports. Bun caches what it once found in a folder and would miss a newer file that now comes first:
 * paths are therefore looked up here, and every file that could be meant counts.
 */
export class ImportResolver {
  readonly #folders = new Map<string, ReadonlyMap<string, Dirent>>();

  /** The targets of an import in a folder's code; none for a part of Bun. */
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

  /** Whether there is a file or a link to one. A link counts as a file unless it leads to a folder that is not empty. */
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

  /** The absent `node_modules` folders that would be searched before the one which holds the package. */
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

/** The endings that Bun tries. */
const ENDINGS = [".tsx", ".jsx", ".ts", ".mts", ".cts", ".mjs", ".js", ".cjs", ".json", ".node", ".wasm"];

/** `x.ts` and the like, which Bun takes for an import of `x.js`, as TypeScript wants it written. */
function typedTwins(path: string): readonly string[] {
  const [, stem, kind] = /^(.*)\.([cm]?)jsx?$/.exec(path) ?? [];
  if (stem === undefined) return [];
  return (kind === "" ? ["ts", "tsx", "mts"] : [`${kind}ts`]).map((ending) => `${stem}.${ending}`);
}

/** The absolute path that an import names; undefined for the name of a package. */
function pathOf(specifier: string, folder: string): string | undefined {
  const plain = withoutQuery(specifier);
  if (plain.startsWith("file:")) return attempt(() => Bun.fileURLToPath(plain));
  const isPath = /^\.{1,2}(?:\/|$)/.test(plain) || isAbsolute(plain);
  return isPath ? resolve(folder, plain) : undefined;
}

/** Such as `@scope/name` of `@scope/name/part`; undefined if it names no package, such as `#part`. */
const packageName = (specifier: string): string | undefined =>
  /^(?:@[\w.~-]+\/)?[\w~][\w.~-]*(?=\/|$)/.exec(specifier)?.[0];

/** The entry of a folder that its package.json names. */
function mainOf(file: string): string | undefined {
  const value = attempt(() => jsonValue(readFileSync(file, "utf8")));
  const main = typeof value === "object" && value !== null && "main" in value ? value.main : undefined;
  return typeof main === "string" ? main : undefined;
}

/** The files that `import` and `require` would take, which may be two of one package. */
function packageFiles(specifier: string, folder: string): readonly string[] {
  const found = [
    attempt(() => Bun.resolveSync(specifier, folder)),
    attempt(() => createRequire(join(folder, "code.js")).resolve(specifier)),
  ];
  return [...new Set(found)].filter((path) => path !== undefined).filter(isAbsolute);
}

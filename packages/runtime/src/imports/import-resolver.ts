import { type Dirent, readdirSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { attempt } from "../attempt.ts";

/** The files that an import may lead to. */
export interface ImportTargets {
  /** Absolute; they exist. More than one if it is not certain which one would be taken. */
  readonly files: readonly string[];
  /** Absolute. Nothing exists there, and a new file would be taken in place of the others. */
  readonly shadows: readonly string[];
}

const NOWHERE: ImportTargets = { files: [], shadows: [] };

/**
 * Finds the files of imports. Bun caches what it once found in a folder and would miss a newer file that now comes first:
 * paths are therefore looked up here, and every file that could be meant counts.
 */
export class ImportResolver {
  readonly #folders = new Map<string, ReadonlyMap<string, Dirent>>();

  /** The targets of an import in a folder's code; none for what is part of Bun or does not exist. */
  targets(specifier: string, folder: string): ImportTargets {
    const path = pathOf(specifier, folder);
    if (path !== undefined) return this.#candidates(path);
    return isBuiltin(specifier) || /^\w+:/.test(specifier)
      ? NOWHERE
      : { files: packageFiles(specifier, folder), shadows: [] };
  }

  #candidates(path: string): ImportTargets {
    if (this.#isFile(path)) return { files: [path], shadows: [] };
    const endings = ENDINGS.flatMap((ending) => [path + ending, join(path, `index${ending}`)]);
    const names = [...typedTwins(path), ...endings];
    const files = names.filter((name) => this.#isFile(name));
    const described = join(path, "package.json");
    const manifest = this.#isFile(described) ? [described, ...packageFiles(path, path)] : [];
    const shadows = files.length === 0 ? [] : [path, ...names].filter((name) => !this.#entry(name));
    return { files: [...new Set([...files, ...manifest])], shadows };
  }

  /** A link counts as a file unless it leads to a folder that is not empty. */
  #isFile(path: string): boolean {
    const entry = this.#entry(path);
    if (entry === undefined || entry.isDirectory()) return false;
    return !entry.isSymbolicLink() || this.#list(path).size === 0;
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

/** `x.ts` and the like for an import of `x.js`, as TypeScript wants it written. */
function typedTwins(path: string): readonly string[] {
  const [, stem, kind] = /^(.*)\.([cm]?)jsx?$/.exec(path) ?? [];
  return stem === undefined ? [] : [`${stem}.${kind}ts`, `${stem}.ts`, `${stem}.tsx`];
}

/** The absolute path that an import names; undefined for the name of a package. */
function pathOf(specifier: string, folder: string): string | undefined {
  const plain = specifier.replace(/\?.*$/s, "");
  if (plain.startsWith("file:")) return attempt(() => Bun.fileURLToPath(plain));
  const isPath = /^\.{1,2}(?:\/|$)/.test(plain) || isAbsolute(plain);
  return isPath ? resolve(folder, plain) : undefined;
}

/** The files that `import` and `require` would take, which may be two of one package. */
function packageFiles(specifier: string, folder: string): readonly string[] {
  const found = [
    attempt(() => Bun.resolveSync(specifier, folder)),
    attempt(() => createRequire(join(folder, "code.js")).resolve(specifier)),
  ];
  return [...new Set(found)].filter((path) => path !== undefined).filter(isAbsolute);
}

/** Where a file of an installed package is. */
export interface PackageFile {
  /** Such as `@scope/name`. */
  readonly name: string;
  /** The package's folder. */
  readonly folder: string;
  /** The file's path within it. */
  readonly path: string;
}

const PACKAGES = `${sep}node_modules${sep}`;

/** The package that a file belongs to; undefined for a file outside of `node_modules`. */
export function packageOf(file: string): PackageFile | undefined {
  const start = file.lastIndexOf(PACKAGES);
  if (start < 0) return undefined;
  const [first = "", second = "", ...rest] = file.slice(start + PACKAGES.length).split(sep);
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  const folder = file.slice(0, start + PACKAGES.length) + name.split("/").join(sep);
  const path = first.startsWith("@") ? rest : [second, ...rest];
  return { name, folder, path: path.join("/") };
}

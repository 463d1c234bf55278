import { type Dirent, readdirSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

/** The files that an import may lead to. */
export interface ImportTargets {
  /** Absolute; they exist. More than one where it is not certain which one would be taken. */
  readonly files: readonly string[];
  /** Absolute; nothing is there, and a file that came there would be taken in the place of the others. */
  readonly shadows: readonly string[];
}

const NOWHERE: ImportTargets = { files: [], shadows: [] };

/**
 * Finds the files of imports. Bun remembers what it once found in a folder, so that it would not see a file that came
 * later and now is first in line: paths are therefore looked up here, and all that could be meant is given.
 */
export class ImportResolver {
  readonly #folders = new Map<string, ReadonlyMap<string, Dirent>>();

  /** Of an import in code that stands in a folder. What is part of Bun, or is not there, leads nowhere. */
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
    const manifest = this.#isFile(join(path, "package.json"))
      ? [join(path, "package.json"), ...packageFiles(path, path)]
      : [];
    const shadows = files.length === 0 ? [] : [path, ...names].filter((name) => !this.#entry(name));
    return { files: [...new Set([...files, ...manifest])], shadows };
  }

  /** A link counts: where it leads is looked at when it is read. */
  #isFile(path: string): boolean {
    const entry = this.#entry(path);
    return entry !== undefined && !entry.isDirectory() && !this.#isLinkedFolder(path, entry);
  }

  #isLinkedFolder(path: string, entry: Dirent): boolean {
    return entry.isSymbolicLink() && this.#list(path).size > 0;
  }

  #entry(path: string): Dirent | undefined {
    return this.#list(dirname(path)).get(basename(path));
  }

  #list(folder: string): ReadonlyMap<string, Dirent> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const entries = new Map(entriesOf(folder).map((entry) => [entry.name, entry] as const));
    this.#folders.set(folder, entries);
    return entries;
  }
}

/** What Bun puts behind a name to find a file. */
const ENDINGS = [".tsx", ".jsx", ".ts", ".mts", ".cts", ".mjs", ".js", ".cjs", ".json", ".node", ".wasm"];

/** `x.ts` and its like for an import of `x.js`, which is how TypeScript has it written. */
function typedTwins(path: string): readonly string[] {
  const [, stem, kind] = /^(.*)\.([cm]?)jsx?$/.exec(path) ?? [];
  return stem === undefined ? [] : [`${stem}.${kind}ts`, `${stem}.ts`, `${stem}.tsx`];
}

/** The absolute path that an import names; undefined for the name of a package. */
function pathOf(specifier: string, folder: string): string | undefined {
  const plain = specifier.replace(/\?.*$/s, "");
  if (plain.startsWith("file:")) return pathOfUrl(plain);
  const isPath = /^\.{1,2}(?:\/|$)/.test(plain) || isAbsolute(plain);
  return isPath ? resolve(folder, plain) : undefined;
}

function pathOfUrl(url: string): string | undefined {
  try {
    return Bun.fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** What `import` and `require` would take, which may be two files of one package. */
function packageFiles(specifier: string, folder: string): readonly string[] {
  const found = [
    attempt(() => Bun.resolveSync(specifier, folder)),
    attempt(() => createRequire(join(folder, "code.js")).resolve(specifier)),
  ];
  return [...new Set(found.filter((path) => path !== undefined && isAbsolute(path)))].filter(
    (path) => path !== undefined,
  );
}

function entriesOf(folder: string): readonly Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

/** The result of a look-up; undefined where it finds nothing. */
function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

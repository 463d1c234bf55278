import { realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { attempt, isWithin, sha256 } from "@mdx-ai/base";
import { ImportResolver, type ImportTargets, packageName } from "./import-resolver.ts";
import { ImportScanner, type Literals, type Scan } from "./import-scanner.ts";

export interface ImportGraphOptions {
  /** Returns the bytes of a file; undefined if it is not a regular file or is unreadable. A throw ends the search. */
  readonly read: (path: string) => Uint8Array | undefined;
  /**
   * The real folder of the agent. With it, strings in the code that name an executable file, such as a worker's, or an
   * installed package count as imports, too; files are resolved from the file with the string and from this folder. So
   * do files that decide how code is read, such as package.json.
   */
  readonly root?: string;
}

/**
 * Finds the files that code imports, directly or indirectly, without running anything. Each is read once, at its real path. If it
 * is not certain which of several files an import resolves to, all of them count.
 */
export class ImportGraph {
  readonly #options: ImportGraphOptions;
  readonly #resolver = new ImportResolver();
  readonly #scanner = new ImportScanner();
  readonly #files = new Map<string, string>();
  /** Real paths that were read or are unreadable. */
  readonly #seen = new Set<string>();
  readonly #paths = new Set<string>();
  readonly #shadows = new Set<string>();
  readonly #described = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #waiting: string[] = [];

  /** The SHA-256 of each file in hexadecimal digits, by absolute real path, in reading order. */
  readonly files: ReadonlyMap<string, string> = this.#files;
  /** The unresolved paths that led to the files. Absolute. */
  readonly paths: ReadonlySet<string> = this.#paths;
  /**
   * Absent paths and dangling links at which Bun's resolver would find a new file or folder before the one
   * that code now imports; paths of imports that do not exist; and added paths that do not exist. Absolute.
   */
  readonly shadows: ReadonlySet<string> = this.#shadows;
  /** The names of packages that the directory's code imports and that are not installed. */
  readonly missing: ReadonlySet<string> = this.#missing;

  constructor(options: ImportGraphOptions) {
    this.#options = options;
  }

  /** Follows the imports of code as if it were in `file`, which is not read. Returns whether it imports any file. */
  addCode(code: string, file: string): boolean {
    const found = this.#follow(code, file);
    this.#readWaiting();
    return found;
  }

  /** Adds a file and its imports. */
  addFile(path: string): void {
    this.#waiting.push(path);
    this.#readWaiting();
  }

  /** Adds a file without following its imports; if it does not exist, its path is one of the `shadows`. */
  addContent(path: string): void {
    this.#read(path);
  }

  #readWaiting(): void {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const found = this.#read(next);
      if (found !== undefined) this.#follow(Buffer.from(found.bytes).toString(), found.path);
    }
  }

  #follow(code: string, file: string): boolean {
    const folder = dirname(file);
    const isOwn = packageOf(file) === undefined;
    if (isOwn) this.#describe(folder);
    const scan = this.#scanner.scan(code, file, this.#literalsIn(isOwn));
    const targets = scan.specifiers.map((specifier) => this.#resolver.targets(specifier, folder));
    for (const { files, shadows } of targets) {
      this.#waiting.push(...files);
      // A package counts, and is protected, as a whole.
      if (isOwn) for (const path of shadows) if (packageOf(path) === undefined) this.#shadows.add(path);
    }
    if (isOwn)
      for (const name of scan.specifiers.flatMap((one, index) => missingPackage(one, targets[index])))
        this.#missing.add(name);
    const named = this.#namedFiles(scan, folder, isOwn);
    this.#waiting.push(...named);
    return named.length > 0 || targets.some(({ files }) => files.length > 0);
  }

  /** Adds the files that configure how code in a folder and below is read. */
  #describe(folder: string): void {
    const { root } = this.#options;
    if (root === undefined || folder === root || !isWithin(root, folder) || this.#described.has(folder)) return;
    this.#described.add(folder);
    for (const name of DESCRIPTIONS) {
      const path = join(folder, name);
      if (this.#resolver.isFile(path)) this.#read(path);
      else this.#shadows.add(path);
    }
    this.#describe(dirname(folder));
  }

  #literalsIn(isOwn: boolean): Literals {
    if (!isOwn) return "required";
    return this.#options.root === undefined ? "none" : "all";
  }

  /** Executable files named by string literals in the directory's code, relative to the file or to the directory. */
  #namedFiles({ paths, packages }: Scan, folder: string, isOwn: boolean): readonly string[] {
    const { root = folder } = this.#options;
    const near = isOwn ? [folder, root] : [folder];
    const named = paths.flatMap((path) => {
      const folders = path.startsWith(".") ? near : [root];
      return folders.flatMap((from) => this.#resolver.targets(resolve(from, path), from).files);
    });
    return [...(isOwn ? named.filter(isExecutable) : named), ...this.#installedFiles(packages, folder)];
  }

  #installedFiles(names: readonly string[], folder: string): readonly string[] {
    const installed = names.filter((name) => this.#resolver.isInstalled(name, folder));
    return installed.flatMap((name) => this.#resolver.targets(name, folder).files);
  }

  /** Undefined if it was read before or is unreadable. */
  #read(path: string): { readonly bytes: Uint8Array; readonly path: string } | undefined {
    const real = attempt(() => realpathSync.native(path));
    // The path is missing or a dangling link: any later file there is new.
    (real === undefined ? this.#shadows : this.#paths).add(path);
    if (real === undefined || this.#seen.has(real)) return undefined;
    this.#seen.add(real);
    const bytes = this.#options.read(real);
    if (bytes === undefined) return undefined;
    this.#files.set(real, sha256(bytes));
    return { bytes, path: real };
  }
}

/** The package of an import that leads nowhere. The program itself provides `mdx-ai`. */
function missingPackage(specifier: string, targets: ImportTargets | undefined): readonly string[] {
  if (targets === undefined || targets.files.length > 0 || isBuiltin(specifier)) return [];
  const name = packageName(specifier);
  return name === undefined || name === "mdx-ai" || /^\w+:/.test(specifier) ? [] : [name];
}

/** Files that Bun, TypeScript and others search for in a file's folder and above. */
const DESCRIPTIONS: readonly string[] = ["package.json", "tsconfig.json", "jsconfig.json"];

/** Whether a file has the name of code that Bun, a shell or an interpreter runs. */
export const isExecutable = (path: string): boolean => EXECUTABLE.test(path);

const EXECUTABLE =
  /\.(?:[cm]?[jt]sx?|(?:ba|z|fi)?sh|py[cdow]?|rb|pl|php|lua|ps1|bat|cmd|exe|jar|wasm|node|so|dylib|dll)$/i;

/** The location of a file in an installed package. */
export interface PackageFile {
  /** Such as `@scope/name`. */
  readonly name: string;
  /** The package's folder. */
  readonly folder: string;
  /** The file's path within it. */
  readonly path: string;
}

const PACKAGES = `${sep}node_modules${sep}`;

/** The package of a file; undefined for a file outside `node_modules`. */
export function packageOf(file: string): PackageFile | undefined {
  const start = file.lastIndexOf(PACKAGES);
  if (start < 0) return undefined;
  const [first = "", second = "", ...rest] = file.slice(start + PACKAGES.length).split(sep);
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  const folder = file.slice(0, start + PACKAGES.length) + name.split("/").join(sep);
  const path = first.startsWith("@") ? rest : [second, ...rest];
  return { name, folder, path: path.join("/") };
}

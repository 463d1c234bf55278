import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { attempt, isWithin, sha256 } from "@mdx-ai/base";
import { ImportResolver, packageOf } from "./import-resolver.ts";
import { ImportScanner, packageLiterals, pathLiterals, requiredLiterals } from "./import-scanner.ts";

export { type PackageFile, packageOf } from "./import-resolver.ts";

/** A file of the graph. */
export interface ImportedFile {
  /** Real and absolute. */
  readonly path: string;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly hash: string;
}

export interface ImportGraphOptions {
  /** The bytes of a file; undefined if it is no regular file or cannot be read. A throw ends the search. */
  readonly read: (path: string) => Uint8Array | undefined;
  /**
   * The real folder of the agent. With it, texts in the code that name an executable file, such as that of a worker, or an
   * installed package count as imports, too; files are looked up from the file that holds the text and from this folder. So
   * do the files that say how the code of a folder below it is read, such as its package.json.
   */
  readonly root?: string;
}

/**
 * Finds the files that code imports, directly or not, without running anything. Each is read once, at its real path. If it
 * is not certain which of several files an import takes, all of them count.
 */
export class ImportGraph {
  readonly #options: ImportGraphOptions;
  readonly #resolver = new ImportResolver();
  readonly #scanner = new ImportScanner();
  readonly #files = new Map<string, ImportedFile>();
  /** Real paths that were read, or cannot be. */
  readonly #seen = new Set<string>();
  readonly #paths = new Set<string>();
  readonly #shadows = new Set<string>();
  readonly #described = new Set<string>();
  readonly #waiting: string[] = [];

  constructor(options: ImportGraphOptions) {
    this.#options = options;
  }

  /** In the order in which they were read. */
  get files(): readonly ImportedFile[] {
    return [...this.#files.values()];
  }

  /** The paths that led to the files, as they were written. Absolute. */
  get paths(): ReadonlySet<string> {
    return this.#paths;
  }

  /**
   * Absent paths and dangling links at which Bun's resolver would find a new file or folder before the one
   * that code now imports; paths of imports that do not exist; and added paths that do not exist. Absolute.
   */
  get shadows(): ReadonlySet<string> {
    return this.#shadows;
  }

  /** Follows the imports of code as if it were in `file`, which is not read. Returns whether it imports any file. */
  addCode(code: string, file: string): boolean {
    const found = this.#follow(code, file);
    this.#readWaiting();
    return found;
  }

  /** Adds a file and all that it imports. */
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
    const targets = this.#scanner.specifiers(code, file).map((specifier) => this.#resolver.targets(specifier, folder));
    for (const { files, shadows } of targets) {
      this.#waiting.push(...files);
      // Whatever is in a package counts as one, and is protected as one.
      if (isOwn) for (const path of shadows) if (packageOf(path) === undefined) this.#shadows.add(path);
    }
    const named = isOwn ? this.#literalFiles(code, folder) : this.#requiredFiles(code, folder);
    this.#waiting.push(...named);
    return named.length > 0 || targets.some(({ files }) => files.length > 0);
  }

  /** Adds the files that configure how the code of a folder, and of those below, is read. */
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

  #literalFiles(code: string, folder: string): readonly string[] {
    const { root } = this.#options;
    if (root === undefined) return [];
    const named = pathLiterals(code).flatMap((path) => {
      const folders = path.startsWith(".") ? [folder, root] : [root];
      const files = folders.flatMap((from) => this.#resolver.targets(resolve(from, path), from).files);
      return files.filter(isExecutable);
    });
    return [...named, ...this.#installedFiles(packageLiterals(code), folder)];
  }

  #requiredFiles(code: string, folder: string): readonly string[] {
    const literals = requiredLiterals(code);
    const near = literals.filter((text) => /^\.{1,2}\//.test(text));
    return [
      ...near.flatMap((path) => this.#resolver.targets(path, folder).files),
      ...this.#installedFiles(literals, folder),
    ];
  }

  #installedFiles(names: readonly string[], folder: string): readonly string[] {
    const installed = names.filter((name) => this.#resolver.isInstalled(name, folder));
    return installed.flatMap((name) => this.#resolver.targets(name, folder).files);
  }

  /** Undefined if it was read before or cannot be read. */
  #read(path: string): { readonly bytes: Uint8Array; readonly path: string } | undefined {
    const real = attempt(() => realpathSync.native(path));
    // The path is absent or a dangling link: anything found later is new.
    (real === undefined ? this.#shadows : this.#paths).add(path);
    if (real === undefined || this.#seen.has(real)) return undefined;
    this.#seen.add(real);
    const bytes = this.#options.read(real);
    if (bytes === undefined) return undefined;
    const hash = sha256(bytes);
    this.#files.set(real, { path: real, hash });
    return { bytes, path: real };
  }
}

/** Files that Bun, TypeScript and others look for in the folder of a file and in those above. */
const DESCRIPTIONS: readonly string[] = ["package.json", "tsconfig.json", "jsconfig.json"];

/** Whether a file has the name of code that Bun, a shell or an interpreter runs. */
export const isExecutable = (path: string): boolean => EXECUTABLE.test(path);

const EXECUTABLE =
  /\.(?:[cm]?[jt]sx?|(?:ba|z|fi)?sh|py[cdow]?|rb|pl|php|lua|ps1|bat|cmd|exe|jar|wasm|node|so|dylib|dll)$/i;

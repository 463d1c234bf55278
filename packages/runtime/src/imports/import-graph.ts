import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ImportResolver, packageOf } from "./import-resolver.ts";
import { ImportScanner, isExecutable, pathLiterals } from "./import-scanner.ts";

export { type PackageFile, packageOf } from "./import-resolver.ts";
export { isExecutable } from "./import-scanner.ts";

/** A file of the graph. */
export interface ImportedFile {
  /** Real and absolute. */
  readonly path: string;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly hash: string;
}

export interface ImportGraphOptions {
  /** The bytes of a file; undefined for what is no regular file or cannot be read. What it throws ends the search. */
  readonly read: (path: string) => Uint8Array | undefined;
  /** Whether a file, by its real path, belongs to the graph; all do without it. Other files are neither read nor followed. */
  readonly accepts?: (path: string) => boolean;
  /**
   * A real folder. With it, texts in the code that name an executable file, such as that of a worker, count as imports, too;
   * they are looked up from the file that holds them and from this folder.
   */
  readonly literalsFrom?: string;
}

/**
 * Finds the files that code imports, directly or not, without running anything. Each is read once, at its real path. Where it
 * is not certain which of several files an import takes, all of them count.
 */
export class ImportGraph {
  readonly #options: ImportGraphOptions;
  readonly #resolver = new ImportResolver();
  readonly #scanner = new ImportScanner();
  readonly #files = new Map<string, ImportedFile>();
  /** Real paths that were read or refused. */
  readonly #seen = new Set<string>();
  readonly #paths = new Set<string>();
  readonly #shadows = new Set<string>();
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

  /** Paths at which a new file would be imported in place of an existing one. Absolute. */
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

  /** Adds a file without following its imports. */
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
    const targets = this.#scanner.specifiers(code, file).map((specifier) => this.#resolver.targets(specifier, folder));
    for (const { files, shadows } of targets) {
      this.#waiting.push(...files);
      for (const path of shadows) this.#shadows.add(path);
    }
    const named = packageOf(file) === undefined ? this.#literalFiles(code, folder) : [];
    this.#waiting.push(...named);
    return named.length > 0 || targets.some(({ files }) => files.length > 0);
  }

  #literalFiles(code: string, folder: string): readonly string[] {
    const { literalsFrom } = this.#options;
    if (literalsFrom === undefined) return [];
    return pathLiterals(code).flatMap((path) => {
      const folders = path.startsWith(".") ? [folder, literalsFrom] : [literalsFrom];
      const files = folders.flatMap((from) => this.#resolver.targets(resolve(from, path), from).files);
      return files.filter(isExecutable);
    });
  }

  /** Undefined for what was read before, is not accepted or cannot be read. */
  #read(path: string): { readonly bytes: Uint8Array; readonly path: string } | undefined {
    this.#paths.add(path);
    const real = realPath(path);
    if (real === undefined || this.#seen.has(real)) return undefined;
    this.#seen.add(real);
    const { accepts, read } = this.#options;
    const bytes = accepts?.(real) === false ? undefined : read(real);
    if (bytes === undefined) return undefined;
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    this.#files.set(real, { path: real, hash });
    return { bytes, path: real };
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

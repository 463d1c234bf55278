import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isExecutable } from "./executable-name.ts";
import { ImportScanner, pathLiterals } from "./import-specifiers.ts";
import { ImportResolver } from "./import-targets.ts";
import { packageOf } from "./package-place.ts";
import { sha256 } from "./sha256.ts";
import type { SourceBudget } from "./source-budget.ts";

/** A file that was found; its path is real and absolute. */
export interface FoundFile {
  readonly path: string;
  readonly hash: string;
}

/** Collects files, and all that they import. Each is read once, at its real path. */
export class CodeGraph {
  readonly #budget: SourceBudget;
  readonly #root: string;
  readonly #resolver = new ImportResolver();
  readonly #scanner = new ImportScanner();
  readonly #files = new Map<string, FoundFile>();
  /** What was looked at, real or not, and of no use. */
  readonly #seen = new Set<string>();
  readonly #paths = new Set<string>();
  readonly #shadows = new Set<string>();
  readonly #waiting: string[] = [];

  /** `root` is the real path of the agent directory. */
  constructor(root: string, budget: SourceBudget) {
    this.#root = root;
    this.#budget = budget;
  }

  get files(): readonly FoundFile[] {
    return [...this.#files.values()];
  }

  /** The paths that led to the files, as they were written. Absolute. */
  get paths(): ReadonlySet<string> {
    return this.#paths;
  }

  /** Where a new file would be imported in the place of another. Absolute. */
  get shadows(): ReadonlySet<string> {
    return this.#shadows;
  }

  /**
   * Follows the imports of a code that stands in a file, which itself is not read. Says whether there is any file that it
   * may execute. Throws `ManifestLimitError`.
   */
  addCode(code: string, file: string): boolean {
    const found = this.#follow(code, file);
    this.#workOff();
    return found;
  }

  /** Takes a file and all that it imports. Throws `ManifestLimitError`. */
  addFile(path: string): void {
    this.#waiting.push(path);
    this.#workOff();
  }

  /** Takes a file alone. Throws `ManifestLimitError`. */
  addContent(path: string): void {
    this.#read(path);
  }

  #workOff(): void {
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
    const named = packageOf(file) === undefined ? pathLiterals(code).flatMap((path) => this.#named(path, folder)) : [];
    this.#waiting.push(...named);
    return named.length > 0 || targets.some(({ files }) => files.length > 0);
  }

  /** A text that names a file, from where the code stands or from the directory. */
  #named(path: string, folder: string): readonly string[] {
    const places = path.startsWith(".") ? [folder, this.#root] : [this.#root];
    const files = places.flatMap((place) => this.#resolver.targets(resolve(place, path), place).files);
    return files.filter(isExecutable);
  }

  /** Undefined for what was read before, or cannot be. */
  #read(path: string): { readonly bytes: Uint8Array; readonly path: string } | undefined {
    this.#paths.add(path);
    const real = realPath(path);
    if (real === undefined || this.#seen.has(real)) return undefined;
    this.#seen.add(real);
    const bytes = this.#budget.read(real);
    if (bytes === undefined) return undefined;
    this.#files.set(real, { path: real, hash: sha256(bytes) });
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

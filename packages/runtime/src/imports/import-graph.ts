import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type CodeTranspiler, codeTranspiler } from "@mdx-ai/parser";
import { attempt } from "../attempt.ts";
import { jsonValue } from "../json-value.ts";
import { ImportResolver, packageOf } from "./import-resolver.ts";

export { type PackageFile, packageOf } from "./import-resolver.ts";

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
    const real = attempt(() => realpathSync.native(path));
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

/** Reads what code imports. None of it is run, macros included. */
class ImportScanner {
  readonly #transpilers = new Map<Loader, CodeTranspiler>();

  /**
   * Specifiers as they are written, of static imports and of `import()` and `require()` with a literal text. In code that does
   * not parse, whatever looks like an import counts. Imports of types alone, which never run, do not.
   */
  specifiers(code: string, path: string): readonly string[] {
    const loaders = loadersOf(path);
    if (path.endsWith(".json") && isJson(code)) return [];
    if (loaders[0] === "ts" && !mayImport(code)) return [];
    for (const loader of loaders) {
      const found = attempt(() => this.#transpiler(loader).scanImports(code));
      if (found) return found.map(({ path: specifier }) => specifier);
      // Its name may not say what it is.
    }
    return [...code.matchAll(SEEMING_IMPORT)].map(([, specifier = ""]) => specifier);
  }

  #transpiler(loader: Loader): CodeTranspiler {
    const transpiler = this.#transpilers.get(loader) ?? codeTranspiler(loader);
    this.#transpilers.set(loader, transpiler);
    return transpiler;
  }
}

/** Whether a file has the name of code that Bun or a shell runs. */
export const isExecutable = (path: string): boolean => /\.(?:[cm]?[jt]sx?|sh|bash|py|rb|pl|wasm|node)$/i.test(path);

/** Texts in code that may name a file, such as that of a worker: `./worker.ts`, `scripts/build.sh`. */
const pathLiterals = (code: string): readonly string[] => [
  ...new Set([...code.matchAll(PATH_LITERAL)].map(([, path = ""]) => path)),
];

/** JSON holds no imports, whatever it is loaded as. */
const isJson = (text: string): boolean => jsonValue(text) !== undefined;

type Loader = "ts" | "tsx" | "jsx";

function loadersOf(path: string): readonly Loader[] {
  if (/\.(?:ts|mts|cts|mdx)$/.test(path)) return ["ts"];
  return /\.tsx$/.test(path) ? ["tsx"] : ["jsx", "ts"];
}

/** Without these words there is no import; escapes may hide them. This is far cheaper than parsing. */
const mayImport = (code: string): boolean =>
  /\b(?:import|require)\b|\\u/.test(code) || (/\bexport\b/.test(code) && /\bfrom\b/.test(code));

const SEEMING_IMPORT = /\b(?:from|import|require)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g;

/** In one piece, and with a dot and a slash before it or an ending of code. */
const PATH_LITERAL = /["'`](\.{1,2}\/[^"'`\s$]{1,300}|[\w@./-]{1,300}\.(?:[cm]?[jt]sx?|sh|py|wasm|node))["'`]/g;

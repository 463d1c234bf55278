import { attempt, jsonValue } from "@mdx-ai/base";
import { type CodeTranspiler, codeTranspiler } from "@mdx-ai/parser";

/** The string literals to collect: all, only possible arguments of a renamed `require`, or none. */
export type Literals = "all" | "required" | "none";

/** The names in code, as written. */
export interface Scan {
  /** Import specifiers. */
  readonly specifiers: readonly string[];
  /** String literals that may name a file, such as a worker's: `./worker.ts`, `scripts/build.sh`. */
  readonly paths: readonly string[];
  /** String literals that may name a package. */
  readonly packages: readonly string[];
}

/** Scans code for imports, without running anything, including macros. */
export class ImportScanner {
  readonly #transpilers = new Map<Loader, CodeTranspiler>();

  /** Returns the names in code; `path` determines the language. */
  scan(code: string, path: string, literals: Literals): Scan {
    const specifiers = this.#specifiers(code, path);
    if (literals === "none") return { specifiers, paths: [], packages: [] };
    if (literals === "all")
      return { specifiers, paths: firstGroups(code, PATH_LITERAL), packages: firstGroups(code, PACKAGE_LITERAL) };
    const required = MAKES_REQUIRE.test(code) ? firstGroups(code, ARGUMENT) : [];
    return { specifiers, paths: required.filter((text) => /^\.{1,2}\//.test(text)), packages: required };
  }

  /**
   * The specifiers of static imports, of `import()` and `require()` with a string literal, and those that
   * JSX implies. In code that does not parse, everything that looks like an import counts. Type-only imports, which never run,
   * do not.
   */
  #specifiers(code: string, path: string): readonly string[] {
    const loaders = loadersOf(path);
    if (path.endsWith(".json") && isJson(code)) return [];
    if (loaders[0] === "ts" && !mayImport(code)) return [];
    for (const loader of loaders) {
      const found = attempt(() => this.#transpiler(loader).scanImports(code));
      if (found) return withJsx(new Set(found.map(({ path: specifier }) => specifier)), code);
      // Its name may not show its language.
    }
    return withJsx(new Set([...code.matchAll(SEEMING_IMPORT)].map(([, specifier = ""]) => specifier)), code);
  }

  #transpiler(loader: Loader): CodeTranspiler {
    const transpiler = this.#transpilers.get(loader) ?? codeTranspiler(loader);
    this.#transpilers.set(loader, transpiler);
    return transpiler;
  }
}

const firstGroups = (code: string, pattern: RegExp): readonly string[] => [
  ...new Set([...code.matchAll(pattern)].map(([, text = ""]) => text)),
];

/** The implicit imports of JSX code: in development, in production, or as a comment in the file says. */
function withJsx(specifiers: Set<string>, code: string): readonly string[] {
  const isJsx = specifiers.has(`react/${RUNTIMES[0]}`);
  const sources = [...(isJsx ? ["react"] : []), ...firstGroups(code, JSX_SOURCE)];
  for (const source of sources) for (const runtime of RUNTIMES) specifiers.add(`${source}/${runtime}`);
  return [...specifiers];
}

const RUNTIMES = ["jsx-dev-runtime", "jsx-runtime"] as const;

const JSX_SOURCE = /@jsxImportSource\s+([^\s*]+)/g;

/** JSON contains no imports, in any loader. */
const isJson = (text: string): boolean => jsonValue(text) !== undefined;

type Loader = "ts" | "tsx" | "jsx";

function loadersOf(path: string): readonly Loader[] {
  if (/\.(?:ts|mts|cts|mdx)$/.test(path)) return ["ts"];
  return /\.tsx$/.test(path) ? ["tsx"] : ["jsx", "ts"];
}

/** A check for import words, or escapes that may hide them. Far cheaper than parsing. */
const mayImport = (code: string): boolean =>
  /\b(?:import|require)\b|\\u/.test(code) || (/\bexport\b/.test(code) && /\bfrom\b/.test(code));

const SEEMING_IMPORT = /\b(?:from|import|require)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g;

/** A single word with a leading dot and slash or a code extension. */
const PATH_LITERAL =
  /["'`](\.{1,2}\/[^"'`\s$]{1,300}|[\w@./-]{1,300}\.(?:[cm]?[jt]sx?|sh|py|wasm|node|so|dylib|dll))["'`]/g;

const PACKAGE_LITERAL = /["'`]((?:@[\w.~-]{1,200}\/)?[\w~][\w.~-]{0,200}(?:\/[\w.~/-]{1,200})?)["'`]/g;

/** Matches code that creates a `require` under another name. */
const MAKES_REQUIRE = /\bcreateRequire\b|\b(?:module|meta)\s*\.\s*require\b/;
const ARGUMENT = /\(\s*["'`]([^"'`\s$]{1,300})["'`]\s*[,)]/g;

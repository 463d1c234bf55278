import { type CodeTranspiler, codeTranspiler } from "@mdx-ai/parser";

/** Reads what code imports. None of it is run, macros included. */
export class ImportScanner {
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
      try {
        return this.#transpiler(loader)
          .scanImports(code)
          .map((found) => found.path);
      } catch {
        // Its name may not say what it is.
      }
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
export const pathLiterals = (code: string): readonly string[] => [
  ...new Set([...code.matchAll(PATH_LITERAL)].map(([, path = ""]) => path)),
];

/** JSON holds no imports, whatever it is loaded as. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

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

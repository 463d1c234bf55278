/** What a file imports, as it is written there. */
export interface ImportSpecifiers {
  /** Of static imports, and of `import()` and `require()` with a literal text. */
  readonly imports: readonly string[];
  /** Other texts of the code that may name a file, such as that of a worker. */
  readonly paths: readonly string[];
}

/**
 * Reads the imports of a code without running any of it, macros included. Code that does not parse gives what looks like
 * imports. Imports of types alone, which never run, are left out.
 */
export function importSpecifiers(code: string, path: string): ImportSpecifiers {
  return { imports: importsOf(code, path), paths: literalPaths(code) };
}

function importsOf(code: string, path: string): readonly string[] {
  for (const loader of loadersOf(path)) {
    try {
      return transpiler(loader)
        .scanImports(code)
        .map((found) => found.path);
    } catch {
      // Perhaps it is of another kind than its name says.
    }
  }
  return [...code.matchAll(SEEMING_IMPORT)].map(([, specifier = ""]) => specifier);
}

type Loader = "ts" | "tsx" | "jsx";

function loadersOf(path: string): readonly Loader[] {
  if (/\.(?:ts|mts|cts|mdx)$/.test(path)) return ["ts"];
  return /\.tsx$/.test(path) ? ["tsx"] : ["jsx", "ts"];
}

/** Unless told so, Bun calls what is imported `with { type: "macro" }` while it transpiles. Its types leave the `false` out. */
const withoutMacros: object = { macro: false };

const transpiler = (loader: Loader): Bun.Transpiler => new Bun.Transpiler({ loader, ...withoutMacros });

const SEEMING_IMPORT = /\b(?:from|import|require)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g;

/** Texts such as `./worker.ts` and `scripts/build.sh`: in one piece, with a slash or an ending of code. */
const PATH_LITERAL = /["'`](\.{1,2}\/[^"'`\s$]{1,300}|[\w@./-]{1,300}\.(?:[cm]?[jt]sx?|sh|py|wasm|node))["'`]/g;

const literalPaths = (code: string): readonly string[] => [
  ...new Set([...code.matchAll(PATH_LITERAL)].map(([, path = ""]) => path)),
];

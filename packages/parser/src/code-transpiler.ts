/** The language of a tool's code, as Bun names it. */
export type CodeLoader = "ts" | "tsx" | "js" | "jsx";

/** The language of a tool's code: by the ending of its file, TypeScript for code in agent.mdx. */
export function codeLoader(file?: string): CodeLoader {
  if (file === undefined || /\.[cm]?ts$/i.test(file)) return "ts";
  if (/\.tsx$/i.test(file)) return "tsx";
  return /\.jsx$/i.test(file) ? "jsx" : "js";
}

/** By default Bun calls what is imported `with { type: "macro" }` while it parses. Its types lack the `false`. */
const WITHOUT_MACROS: object = { macro: false };

/** An import in code. */
interface CodeImport {
  readonly path: string;
  /** Such as "import-statement" or "dynamic-import". */
  readonly kind: string;
}

/** Parses code; each method throws if it cannot. */
export interface CodeTranspiler {
  transformSync(code: string): string;
  scan(code: string): { readonly exports: readonly string[]; readonly imports: readonly CodeImport[] };
  scanImports(code: string): readonly CodeImport[];
}

/** A transpiler that runs nothing: neither the code, nor its macros, nor what it imports. */
export const codeTranspiler = (loader: CodeLoader): CodeTranspiler => new Bun.Transpiler({ loader, ...WITHOUT_MACROS });

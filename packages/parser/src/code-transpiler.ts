import type { CodeLoader } from "./code-loader.ts";

/** Unless told so, Bun calls what is imported `with { type: "macro" }` while it reads. Its types leave the `false` out. */
const WITHOUT_MACROS: object = { macro: false };

/** An import that stands in code. */
interface CodeImport {
  readonly path: string;
  /** Such as "import-statement" or "dynamic-import". */
  readonly kind: string;
}

/** Reads code. All of it throws where that cannot be parsed. */
export interface CodeTranspiler {
  transformSync(code: string): string;
  scan(code: string): { readonly exports: readonly string[]; readonly imports: readonly CodeImport[] };
  scanImports(code: string): readonly CodeImport[];
}

/** For code that is not to be run: neither is anything of it, macros included, nor of what it imports. */
export const codeTranspiler = (loader: CodeLoader): CodeTranspiler => new Bun.Transpiler({ loader, ...WITHOUT_MACROS });

import { dirname, extname, resolve } from "node:path";
import { attempt } from "@mdx-ai/base";
import { readWholeFile } from "@mdx-ai/base/disk";

/** The name in an import, without the query after it: Bun hands that on, and the file is the same. */
export const withoutQuery = (specifier: string): string => specifier.replace(/\?.*$/s, "");

/** TypeScript and JavaScript that are modules by their name. */
export const isTyped = (path: string): boolean => /\.(?:m?ts|tsx|mjs)$/i.test(path);

/** Whether a file has the name of TypeScript or JavaScript. */
export const isScript = (path: string): boolean => /\.(?:[cm]?[jt]s|[jt]sx)$/i.test(path);

/** Whether a file of JavaScript is certainly a module. */
export function isScriptModule(path: string): boolean {
  if (![".js", ".jsx"].includes(extname(path).toLowerCase())) return false;
  return syntaxOf(attempt(() => readWholeFile(path).toString()) ?? "", path) === "module";
}

/** How Bun reads the code of a file: a comment or a text in it decides nothing. Undefined for code that is the same as both, or broken. */
export function syntaxOf(code: string, path: string): "module" | "commonjs" | undefined {
  // Without these words it is neither; escapes may hide them.
  if (!/\b(?:import|exports?)\b|\\u/.test(code)) return undefined;
  const transpiler = new Bun.Transpiler({ loader: loaderOf(path), ...WITHOUT_MACROS });
  const scanned = attempt(() => transpiler.scan(code));
  if (scanned === undefined) return undefined;
  const isModule = scanned.exports.length > 0 || scanned.imports.some(({ kind }) => kind === "import-statement");
  if (isModule) return "module";
  // Has no comments and no types. `export =` is rewritten to its meaning.
  const bare = (attempt(() => transpiler.transformSync(code)) ?? "").replace(TEXT, '""');
  if (/\bexport\s*\{|\bimport\.meta\b/.test(bare)) return "module";
  return /\bmodule\s*\.\s*exports\b|\bexports\s*\.\s*\w+\s*=/.test(bare) ? "commonjs" : undefined;
}

/** By default Bun calls what is imported `with { type: "macro" }` while it parses. Its types lack the `false`. */
const WITHOUT_MACROS: object = { macro: false };

const TEXT = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/gs;

/** The language of a file that is a module, as Bun names it. */
export function loaderOf(path: string): "ts" | "tsx" | "jsx" {
  if (/\.m?ts$/i.test(path)) return "ts";
  return /\.tsx$/i.test(path) ? "tsx" : "jsx";
}

/** The imports of code files as something other than code: such as `./x.ts` as `text`. */
export interface DataImport {
  readonly specifier: string;
  readonly type: string;
}

/** The first such import of a file's code whose target is loaded as a module. */
export function codeAsData(code: string, path: string): DataImport | undefined {
  const found = [...code.matchAll(WITH_TYPE)].map(([, specifier = "", type = ""]) => ({ specifier, type }));
  return found.find(({ specifier }) => {
    const target = resolve(dirname(path), withoutQuery(specifier));
    return isTyped(target) || isScriptModule(target);
  });
}

/** `"./x.ts" with { type: "text" }`, and `"./x.ts", { with: { type: "text" } }` of `import()`. */
const WITH_TYPE =
  /["'](\.{1,2}\/[^"'\n]+)["']\s*(?:,\s*\{\s*)?\b(?:with|assert)\s*:?\s*\{[^{}]*?\btype["']?\s*:\s*["'](?!(?:macro|[jt]sx?)["'])([\w-]+)["']/g;

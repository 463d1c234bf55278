import { statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { attempt, isWithin } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { codeTranspiler } from "@mdx-ai/parser";
import { isInstalled, withoutQuery } from "./verify-imports.ts";

/** The code of a file and its path. Both paths are real and absolute. */
export interface ImportingCode {
  readonly text: string;
  readonly file: string;
  readonly root: string;
}

/**
 * The files of a folder that code imports by literal names, directly or not, by their real paths. Runs none of it. If an import
 * is ambiguous, includes all candidates. Leaves out files of installed packages and files for which `read` returns no text.
 */
export function importedFiles(
  { text, file, root }: ImportingCode,
  read: (path: string) => string | undefined,
): readonly string[] {
  const found = new Map<string, string>();
  const waiting = [{ text, file }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { file: importer } = next;
    const paths = specifiersOf(next.text, importer).flatMap((specifier) => candidates(specifier, dirname(importer)));
    for (const path of paths.map(realPathOrSame)) {
      if (found.has(path) || !isWithin(root, path) || isInstalled(root, path)) continue;
      const code = read(path);
      if (code === undefined) continue;
      found.set(path, code);
      waiting.push({ text: code, file: path });
    }
  }
  return [...found.keys()];
}

/** Returns none for code that cannot be parsed: loading it will fail. */
function specifiersOf(code: string, file: string): readonly string[] {
  if (!/\b(?:import|require|export)\b|\\u/.test(code)) return [];
  const transpiler = codeTranspiler(/\.(?:[cm]?ts|mdx)$/i.test(file) ? "ts" : "tsx");
  return (attempt(() => transpiler.scanImports(code)) ?? []).map(({ path }) => withoutQuery(path));
}

/** The candidate files of an import. Looked up here because Bun caches its listings of folders. */
function candidates(specifier: string, folder: string): readonly string[] {
  if (!(/^\.{1,2}(?:\/|$)/.test(specifier) || isAbsolute(specifier)))
    return [attempt(() => Bun.resolveSync(specifier, folder)) ?? ""].filter(isAbsolute);
  const path = resolve(folder, specifier);
  const typed = path.replace(/\.([cm]?)jsx?$/, ".$1ts");
  const names = ENDINGS.flatMap((ending) => [path + ending, join(path, `index${ending}`)]);
  return [path, typed, `${typed}x`, ...names].filter((name) => attempt(() => statSync(name))?.isFile() === true);
}

/** The endings that Bun tries. */
const ENDINGS = [".tsx", ".jsx", ".ts", ".mts", ".cts", ".mjs", ".js", ".cjs", ".json"];

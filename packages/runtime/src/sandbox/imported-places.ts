import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeTranspiler, type ToolCode } from "@mdx-ai/parser";
import { isWithin, realPlace } from "../files/real-place.ts";

/** Files that are looked into for what they import. */
const MOST_FILES = 200;

/** What decides where an import leads. */
const RESOLVING: readonly string[] = ["node_modules", "package.json", "tsconfig.json"];

/**
 * The files and folders of an agent directory that the code of a tool needs to be loaded: its own file, those that it and
 * they import, and installed packages. Absolute and real; all exist. What cannot be found is left out: loading says so.
 */
export function importedPlaces(code: ToolCode, agentDir: string): readonly string[] {
  const own = join(agentDir, code.file ?? "agent.mdx");
  const found = new Set<string>(code.file === undefined ? [] : [own]);
  const open = [{ text: code.text, folder: dirname(own) }];
  for (let next = open.pop(); next !== undefined && found.size < MOST_FILES; next = open.pop()) {
    for (const path of importsOf(next.text, next.folder)) {
      if (found.has(path) || !isWithin(agentDir, path)) continue;
      found.add(path);
      open.push({ text: readFileSync(path, "utf8"), folder: dirname(path) });
    }
  }
  const resolving = RESOLVING.map((name) => join(agentDir, name));
  return [...found, ...resolving].filter((path) => existsSync(path)).map(realPlace);
}

/** The files that a code imports by a path. */
function importsOf(text: string, folder: string): readonly string[] {
  const specifiers = specifiersOf(text).filter((specifier) => /^[./]/.test(specifier));
  return specifiers.flatMap((specifier) => {
    try {
      return [Bun.resolveSync(specifier, folder)];
    } catch {
      return [];
    }
  });
}

function specifiersOf(text: string): readonly string[] {
  try {
    return codeTranspiler("tsx")
      .scanImports(text)
      .map(({ path }) => path);
  } catch {
    // Perhaps it is TypeScript with casts that look like elements, or broken.
    return [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g)].map(([, path = ""]) => path);
  }
}

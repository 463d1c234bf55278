import { existsSync, fstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolCode } from "@mdx-ai/parser";
import { readOpened } from "../files/read-whole-file.ts";
import { isWithin, realPlace } from "../files/real-place.ts";
import { ImportGraph, packageOf } from "../imports/import-graph.ts";

/** Files that are read to find what they import, and the size of the largest, in bytes. */
const MOST_FILES = 200;
const LARGEST_FILE = 16 * 1024 * 1024;

/** What decides where an import leads. */
const RESOLVING: readonly string[] = ["node_modules", "package.json", "tsconfig.json"];

/**
 * The files and folders of an agent directory that the code of a tool needs to be loaded: its own file, those that it and
 * they import, and installed packages. Absolute and real; all exist. What cannot be found is left out: loading reports it.
 */
export function importedPlaces(code: ToolCode, agentDir: string): readonly string[] {
  const root = realPlace(agentDir);
  let count = 0;
  const graph = new ImportGraph({
    read: (path) => (count++ < MOST_FILES ? readSource(path) : undefined),
    // Packages are seen as a whole.
    accepts: (path) => isWithin(root, path) && packageOf(path) === undefined,
  });
  const file = join(root, code.file ?? "agent.mdx");
  if (code.file !== undefined) graph.addContent(file);
  graph.addCode(code.text, file);
  const resolving = RESOLVING.map((name) => join(root, name)).filter((path) => existsSync(path));
  return [...new Set([...graph.files.map(({ path }) => path), ...resolving.map(realPlace)])];
}

/** Undefined for what is no regular file, cannot be read or is too large to be code. */
function readSource(path: string): Uint8Array | undefined {
  try {
    return readOpened(path, (file) => (fstatSync(file).size > LARGEST_FILE ? undefined : readFileSync(file)));
  } catch {
    return undefined;
  }
}

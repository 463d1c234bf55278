import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CorpusCase, parseCorpusCase } from "./corpus-case.ts";

const folder = join(import.meta.dir, "../corpus");

/** All broken agent directories of test/corpus, by the names of their rules and then their own. */
export function readCorpus(): readonly CorpusCase[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => path.endsWith(".txt"))
    .sort()
    .map((path) => parseCorpusCase(path.slice(0, -".txt".length), readFileSync(join(folder, path), "utf8")));
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { testFiles } from "./test-files.ts";

/** Milliseconds per file, in Bun's format. */
export const TIMINGS = "test/timings.json";

/** The part of test files that may be new or gone before the timings are outdated. */
const STALE_PART = 0.05;

/** By file, relative to the repository. */
type Timings = Readonly<Record<string, number>>;

/** Rounds Bun's measurements, sorts them by file and drops deleted files, so that little changes from run to run. */
export async function tidyTimings(tree: string): Promise<void> {
  const files = await readTimings(tree);
  const kept = Object.keys(files)
    .filter((file) => existsSync(join(tree, file)))
    .toSorted();
  const rounded = Object.fromEntries(kept.map((file) => [file, roughly(files[file] ?? 0)]));
  await Bun.write(join(tree, TIMINGS), `${JSON.stringify({ version: 1, files: rounded }, undefined, 2)}\n`);
}

async function readTimings(tree: string): Promise<Timings> {
  const { files }: { files: Timings } = await Bun.file(join(tree, TIMINGS)).json();
  return files;
}

/** To the nearest of 100, 200, 400, 800, … milliseconds: only the order of files matters. */
const roughly = (milliseconds: number): number => 100 * 2 ** Math.max(0, Math.round(Math.log2(milliseconds / 100)));

/** A line for the user if many test files are new or gone since the last measurement; undefined otherwise, and if there was none. */
export async function staleTimings(tree: string): Promise<string | undefined> {
  if (!existsSync(join(tree, TIMINGS))) return undefined;
  const known = new Set(Object.keys(await readTimings(tree)));
  const present = new Set(testFiles(tree, "all"));
  const changed = known.symmetricDifference(present).size;
  if (changed <= STALE_PART * present.size) return undefined;
  return `${TIMINGS} is stale (test files that are new or gone: ${changed}); measure again: npm run test:all -- --update-timings`;
}

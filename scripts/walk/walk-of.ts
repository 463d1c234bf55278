import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runHello } from "./hello-agent.ts";

/** A part of the walk of a prompt through the source files. */
export interface WalkPart {
  readonly name: string;
  /** How many files are entered. */
  readonly files: number;
  /** How often a function of another file is entered than of the file before. */
  readonly hops: number;
  /** How often each file is entered from another one, most often first. */
  readonly entered: readonly (readonly [file: string, times: number])[];
}

/** Folders of basic helpers that do not count as stations. */
const WORDS = /^base\/src\/(?:errors|json|paths)\//;

/**
 * Runs one prompt of a new agent in `folder` with the offline model, from source, whose definition is cached, and returns what it enters: in all up
 * to the request, and in parts. Throws if the program fails.
 */
export async function walkOf(root: string, folder: string): Promise<readonly WalkPart[]> {
  const entries = await tracedEntries(root, folder);
  const request = indexOf(entries, /^models\/src\/offline\/offline-model\.ts$/, /^stream$/);
  const opened = indexOf(entries, /\/open-agent\.ts$/, /./);
  return [
    partOf("argv → request", entries.slice(0, request)),
    partOf("argv → open agent", entries.slice(0, opened)),
    partOf("open agent → request", entries.slice(opened, request)),
  ];
}

interface Entry {
  readonly file: string;
  readonly name: string;
}

async function tracedEntries(root: string, folder: string): Promise<readonly Entry[]> {
  const log = join(folder, "walk.log");
  await runHello(root, folder, {
    bunOptions: ["--preload", join(root, "scripts/walk/trace.ts")],
    variables: { WALK_LOG: log },
  });
  const lines = (await readFile(log, "utf8")).split("\n");
  return lines.map((line) => {
    const [file = "", name = ""] = line.split("\t");
    return { file, name };
  });
}

function indexOf(entries: readonly Entry[], file: RegExp, name: RegExp): number {
  const index = entries.findIndex((entry) => file.test(entry.file) && name.test(entry.name));
  if (index === -1) throw new Error(`the walk never enters ${name.source} of ${file.source}`);
  return index;
}

function partOf(name: string, entries: readonly Entry[]): WalkPart {
  const files = entries.map(({ file }) => file).filter((file) => !WORDS.test(file));
  const visited = files.filter((file, index) => file !== files[index - 1]);
  const times = new Map<string, number>();
  for (const file of visited) times.set(file, (times.get(file) ?? 0) + 1);
  const entered = [...times].toSorted(([, one], [, other]) => other - one);
  return { name, files: entered.length, hops: visited.length, entered };
}

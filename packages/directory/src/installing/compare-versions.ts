import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@mdx-ai/base";
import { type Manifest, powerEntries } from "../manifest/manifest.ts";
import { type PowerChange, powerDifference } from "../manifest/power-difference.ts";
import { type DifferenceLine, textDifference } from "../testing/text-difference.ts";

/** What an update changes. */
export interface VersionDifference {
  readonly power: readonly PowerChange[];
  /** Whether the agent may do more, or something else, so that its user has to agree. */
  readonly isMore: boolean;
  /** The files of prose that differ. */
  readonly prose: readonly ProseDifference[];
}

interface ProseDifference {
  /** Relative to the agent. */
  readonly file: string;
  readonly lines: readonly DifferenceLine[];
}

/** A version, as it was read. */
interface ReadVersion {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Pick<Manifest, "entries">;
}

/** Compares two versions of an agent. Runs nothing. */
export async function compareVersions(before: ReadVersion, after: ReadVersion): Promise<VersionDifference> {
  const power = powerDifference(powerEntries(before.manifest), powerEntries(after.manifest));
  return {
    power,
    isMore: power.some(({ isMore }) => isMore),
    prose: await proseDifference(before.folder, after.folder),
  };
}

/** The files of prose that are compared at most. */
const MAX_FILES = 20;

async function proseDifference(before: string, after: string): Promise<readonly ProseDifference[]> {
  const files = [...new Set([...proseFiles(before), ...proseFiles(after)])].sort();
  const found: ProseDifference[] = [];
  for (const file of files) {
    const [from, to] = [before, after].map((folder) => attempt(() => readFileSync(join(folder, file), "utf8")) ?? "");
    if (from === to || from === undefined || to === undefined) continue;
    if (found.length === MAX_FILES) return [...found, { file: "…", lines: [] }];
    found.push({ file, lines: await textDifference(from, to) });
  }
  return found;
}

/** Texts that a model may read. */
const PROSE = /\.(?:mdx?|markdown|txt)$/i;

const proseFiles = (folder: string): readonly string[] =>
  (attempt(() => readdirSync(folder, { recursive: true, encoding: "utf8" })) ?? []).filter(
    (path) => PROSE.test(path) && !path.split("/").includes("node_modules"),
  );

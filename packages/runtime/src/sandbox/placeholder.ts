import { lstatSync, mkdirSync, rmdirSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPlaceholder, PLACEHOLDER_TIME } from "@mdx-ai/parser";
import { ABSENT_PLACES, type AbsentPlace } from "./absent-places.ts";

/**
 * Makes placeholders for what is absent of an agent directory. Where the system allows none, nothing else could come into
 * being either.
 */
export function makePlaceholders(agentDir: string): void {
  const made = ABSENT_PLACES.filter((place) => makePlaceholder(join(agentDir, place.path), place));
  // What came into a folder has changed its time.
  for (const { path, stand } of made) if (stand.kind === "folder") stamp(join(agentDir, path));
}

/** Removes the placeholders of an agent directory that nobody took over. Never throws. */
export function removePlaceholders(agentDir: string): void {
  const paths = ABSENT_PLACES.map(({ path }) => join(agentDir, path)).filter(stands);
  for (const path of paths.toReversed()) removePlaceholder(path);
}

function makePlaceholder(path: string, { stand }: AbsentPlace): boolean {
  try {
    if (stand.kind === "folder") mkdirSync(path, { mode: 0o700 });
    else writeFileSync(path, stand.text, { flag: "wx", mode: 0o600 });
    stamp(path);
    return true;
  } catch {
    // It is there already, or nothing can be made there.
    return false;
  }
}

const stamp = (path: string): void => utimesSync(path, PLACEHOLDER_TIME, PLACEHOLDER_TIME);

function stands(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && isPlaceholder(stats);
  } catch {
    // A file where its folder should be.
    return false;
  }
}

function removePlaceholder(path: string): void {
  try {
    if (lstatSync(path).isDirectory()) rmdirSync(path);
    else unlinkSync(path);
  } catch {
    // The folder is used by now, or somebody else removed it.
  }
}

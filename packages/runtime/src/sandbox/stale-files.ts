import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@mdx-ai/base";
import { hasProcess } from "@mdx-ai/base/disk";
import { AbsenceMarkers, isMarker, readMarker } from "./absence-markers.ts";
import { isThere } from "./move-aside.ts";
import { releaseStale } from "./run-folder.ts";

/** The number of the process that made a draft of a lock, an unnamed file before it lost its name, or a socket of a proxy. */
const MAKER = /^(?:[\da-f]{64}\.lock\.)?(\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:\.tmp|\.sock)?$/;

/** Milliseconds within which the processes of a killed process's sandbox have ended, too. */
const DYING = 50;

/**
 * Removes the files that killed processes left in the folder that all sandboxes of the user share: locks, drafts, sockets, and markers that
 * no reader of their agent directory needs. Never throws.
 */
export function removeStale(folder: string): void {
  const names = attempt(() => readdirSync(folder)) ?? [];
  for (const name of names) {
    const path = join(folder, name);
    const [, maker] = MAKER.exec(name) ?? [];
    if (maker !== undefined && !hasProcess(Number(maker)))
      attempt(() => rmSync(path, { recursive: true, force: true }));
    if (name.endsWith(".lock")) removeLock(path);
    // Where it is missing, a workspace is searched once more.
    if (name.endsWith(".made")) attempt(() => rmSync(path, { force: true }));
  }
  const vain = names.filter((name) => isMarker(name) && isVain(join(folder, name)));
  if (vain.length > 0) Bun.sleepSync(DYING);
  for (const name of vain) attempt(() => removeMarker(join(folder, name), folder));
}

/** One that is held, or taken meanwhile, is not empty and stays. */
function removeLock(path: string): void {
  releaseStale(path);
  attempt(() => rmdirSync(path));
}

/**
 * Whether a process that was killed left a marker, and its commands created none of the paths in it. Created files are
 * set aside and reported by the next reader of the directory: until then the marker stays.
 */
function isVain(path: string): boolean {
  const marker = readMarker(path);
  if (marker === undefined || marker.isLive) return false;
  return !marker.paths.some((one) => isThere(marker.agentDir, one));
}

function removeMarker(path: string, folder: string): void {
  const agentDir = readMarker(path)?.agentDir;
  if (agentDir === undefined) return;
  const remove = (): void => {
    if (isVain(path)) rmSync(path, { force: true });
  };
  const markers = attempt(() => new AbsenceMarkers(agentDir, folder));
  // Nobody uses a directory that is gone.
  markers === undefined ? remove() : markers.underLock(remove);
}

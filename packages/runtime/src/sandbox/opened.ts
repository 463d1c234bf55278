import { existsSync } from "node:fs";
import { isWithin, realPlaceOrSame } from "../files/real-place.ts";
import type { SandboxAccess } from "../types/permission.ts";
import type { Mount, Mounts } from "./mounts.ts";

export const openedHosts = (opened: readonly SandboxAccess[]): readonly string[] =>
  opened.flatMap((access) => (access.kind === "host" ? [access.host] : []));

const CLOSED: readonly Mount["kind"][] = ["hidden-folder", "stand-in", "link"];

/**
 * The paths that are opened for writing in a sandbox that shows `shown`: those that exist, are not reached by a link, are not in
 * the agent directory and are not hidden.
 */
export function openedPlaces(opened: readonly SandboxAccess[], shown: Mounts, agentDir: string): readonly string[] {
  const isVisible = (path: string): boolean => {
    const around = [...shown].filter(([place]) => isWithin(place, path)).toSorted(([a], [b]) => b.length - a.length);
    return !CLOSED.includes(around[0]?.[1].kind ?? "read-only");
  };
  return opened
    .flatMap((access) => (access.kind === "write" ? [access.path] : []))
    .filter((path) => existsSync(path) && realPlaceOrSame(path) === path)
    .filter((path) => !isWithin(agentDir, path) && isVisible(path));
}

import { existsSync } from "node:fs";
import { isWithin } from "@mdx-ai/parser/is-within";
import { realPlaceOrSame } from "../files/real-place.ts";
import type { SandboxAccess } from "../types/permission.ts";

export const openedHosts = (opened: readonly SandboxAccess[]): readonly string[] =>
  opened.flatMap((access) => (access.kind === "host" ? [access.host] : []));

/** The paths that are opened for writing: those that exist, are not reached by a link, and are not in the agent directory. */
export const openedPlaces = (opened: readonly SandboxAccess[], agentDir: string): readonly string[] =>
  opened
    .flatMap((access) => (access.kind === "write" ? [access.path] : []))
    .filter((path) => existsSync(path) && realPlaceOrSame(path) === path && !isWithin(agentDir, path));

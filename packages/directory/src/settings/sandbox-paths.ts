import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  cacheDirectory,
  configurationDirectory,
  type Environment,
  homeFolder,
  isWithin,
  stateDirectory,
} from "@mdx-ai/base";
import { agentAround, agentsIn, realPathOrSame } from "@mdx-ai/base/disk";
import type { SandboxSettings, UserSandboxPath } from "@mdx-ai/parser";
import type { SettingsProblem } from "../front-end.ts";

/** Paths that the user's sandbox must not grant. */
export interface PathCheckOptions {
  readonly environment: Environment;
  /** The agent directory, and its data folder if that is elsewhere. Absolute. */
  readonly own: readonly string[];
}

export interface CheckedPaths {
  /** Absolute real paths, without paths that have no effect. */
  readonly paths: Pick<SandboxSettings, "read" | "write">;
  readonly problems: readonly SettingsProblem[];
}

/** Resolves the paths of `sandbox.read` and `sandbox.write` on this machine, and reports mistakes. */
export function checkedPaths(given: readonly UserSandboxPath[], frontEnd: PathCheckOptions): CheckedPaths {
  const found = given.map((one) => ({ ...one, ...foundPath(one, frontEnd) }));
  const pathsOf = (access: UserSandboxPath["access"]): readonly string[] => [
    ...new Set(found.flatMap((one) => (one.access === access && one.hasEffect ? [one.real] : []))),
  ];
  const [read, write] = [pathsOf("read"), pathsOf("write")];
  return {
    paths: { ...(read.length > 0 && { read }), ...(write.length > 0 && { write }) },
    problems: found.flatMap(({ line, column, problem }) => (problem ? [{ line, column, ...problem }] : [])),
  };
}

type PathProblem = Omit<SettingsProblem, "line" | "column">;

interface FoundPath {
  readonly real: string;
  readonly hasEffect: boolean;
  readonly problem?: PathProblem;
}

function foundPath({ access, path }: UserSandboxPath, frontEnd: PathCheckOptions): FoundPath {
  const { environment } = frontEnd;
  const home = homeFolder(environment);
  const real = realPathOrSame(path.startsWith("~/") ? join(home ?? "/", path.slice(1)) : join(path)).replace(
    /(.)\/$/,
    "$1",
  );
  const name = `\`sandbox.${access}\` contains \`${path}\``;
  const error = (why: string, hint: string): FoundPath => ({
    real,
    hasEffect: false,
    problem: { severity: "error", message: `${name}, ${why}`, hint },
  });
  if (home === undefined && path.startsWith("~/")) return error("but HOME is not set", "write an absolute path");
  if (home !== undefined && isWithin(real, realPathOrSame(home))) {
    return error("which includes your whole home folder", "list each folder that agents need, such as `~/data`");
  }
  const reason = access === "write" ? guardedPath(real, frontEnd) : undefined;
  if (reason !== undefined) return error(reason, "name a folder that contains only files that agents may change");
  const warning = (hasEffect: boolean, why: string, hint: string): FoundPath => ({
    real,
    hasEffect,
    problem: { severity: "warning", message: `${name}, ${why}`, hint },
  });
  const own = PRIVATE_MOUNTS.find((folder) => isWithin(folder, real));
  if (own !== undefined) return warning(false, `but the sandbox has its own ${own}, so it has no effect`, REMOVE);
  if (!existsSync(real)) return warning(false, "which does not exist, so it has no effect", `make it, or ${REMOVE}`);
  if (access === "write" && isWithin("/sys", real)) {
    return warning(true, "where agents could change settings of the system", REMOVE);
  }
  if (real === "/run") {
    return warning(true, "where other programs keep their run-time files", "name the folder in it that agents need");
  }
  return { real, hasEffect: true };
}

/** Paths that the sandbox creates itself. */
const PRIVATE_MOUNTS = ["/dev", "/proc"] as const;

const REMOVE = "remove it from the list";

/** Why a folder must not be writable; undefined if it may. */
function guardedPath(real: string, { environment, own }: PathCheckOptions): string | undefined {
  const kept = [configurationDirectory, stateDirectory, cacheDirectory].flatMap((find) => find(environment) ?? []);
  if (kept.some((folder) => meet(real, realPathOrSame(folder)))) {
    return "where mdx-ai keeps your settings, trust and approvals";
  }
  const agent = own.map(realPathOrSame).find((folder) => meet(real, folder)) ?? agentAround(real) ?? agentsIn(real)[0];
  return agent === undefined ? undefined : `which would let agents change ${agent}`;
}

const meet = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { isWithin, realPlaceOrSame } from "../files/real-place.ts";
import { literalOf, pathMatcher } from "./wildcards.ts";

/** Where the patterns of paths begin. All absolute and real. */
export interface PatternRoots {
  readonly agentDir: string;
  readonly cwd: string;
  /** Absent where the user has none; patterns with `~/` then match nothing. */
  readonly home: string | undefined;
}

/** A pattern of paths, taken apart. */
export interface PathPattern {
  /** Absolute: the path before the first wildcard, or the whole path. Undefined for `~/` without a home. */
  readonly base: string | undefined;
  /** Whether it lets a path through; a symbolic link within the agent or the working directory widens nothing. */
  grants(path: string): boolean;
  /** Whether it holds a path back; of a folder all that is in it. */
  refuses(path: string): boolean;
}

/** Reads a pattern: relative to the agent directory, absolute, or below home as `~/…`. A closing "/" means all below. */
export function pathPattern(pattern: string, roots: PatternRoots): PathPattern {
  const parts = (pattern.endsWith("/") ? `${pattern}**` : pattern).split("/");
  const found = parts.findIndex((part) => literalOf(part) === undefined);
  const fixed = found === -1 ? parts : parts.slice(0, found);
  const rest = found === -1 ? undefined : pathMatcher(parts.slice(found).join("/"));
  const base = absoluteBase(fixed.map((part) => literalOf(part) ?? part).join("/"), {
    roots,
    isRooted: pattern.startsWith("/"),
  });
  const steady = base === undefined ? undefined : steadyPlace(base, roots);
  // What a tool has turned into a link by now is held back where it leads to, too.
  const basesNow = (): readonly string[] =>
    base === undefined || steady === undefined
      ? []
      : [base, steady, ...(existsSync(base) ? [realPlaceOrSame(base)] : [])];
  const matches = (from: string, path: string): boolean =>
    rest === undefined ? path === from : isWithin(from, path) && rest(path.slice(from === "/" ? 1 : from.length + 1));
  return {
    base,
    grants: (path) => steady !== undefined && matches(steady, path),
    refuses: (path) => basesNow().some((from) => matches(from, path) || (rest === undefined && isWithin(from, path))),
  };
}

function absoluteBase(
  fixed: string,
  { roots, isRooted }: { readonly roots: PatternRoots; readonly isRooted: boolean },
): string | undefined {
  if (fixed === "~" || fixed.startsWith("~/")) return roots.home && join(roots.home, fixed.slice(1));
  if (isRooted || isAbsolute(fixed)) return resolve("/", fixed);
  return resolve(roots.agentDir, fixed);
}

/**
 * Where a path leads through the links that are the user's own: what lies in the agent or the working directory is taken by
 * its name, since tools can turn what they may write to into a link.
 */
function steadyPlace(path: string, { agentDir, cwd }: PatternRoots): string {
  const isOfTools = (place: string): boolean => isWithin(agentDir, place) || isWithin(cwd, place);
  return path
    .split("/")
    .slice(1)
    .reduce((place, part) => {
      const next = join(place, part);
      return isOfTools(place) ? next : realPlaceOrSame(next);
    }, "/");
}

import { isAbsolute, join, resolve } from "node:path";
import { isWithin, realPlace } from "../files/real-place.ts";
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
  /** Whether it has no wildcard. */
  readonly isLiteral: boolean;
  /** Whether it lets a path through; a symbolic link in a place where tools can write widens nothing. */
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
  const bases = (): readonly string[] => (base === undefined ? [] : [base, realPlaceOr(base)]);
  // Tools can turn what they may write to into a link; what the user named outside may well be one.
  const grantedBases = (): readonly string[] =>
    base !== undefined && (isWithin(roots.agentDir, base) || isWithin(roots.cwd, base)) ? [base] : bases();
  const matches = (from: string, path: string): boolean =>
    rest === undefined ? path === from : isWithin(from, path) && rest(path.slice(from === "/" ? 1 : from.length + 1));
  return {
    base,
    isLiteral: rest === undefined,
    grants: (path) => grantedBases().some((from) => matches(from, path)),
    refuses: (path) => bases().some((from) => matches(from, path) || (rest === undefined && isWithin(from, path))),
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

function realPlaceOr(path: string): string {
  try {
    return realPlace(path);
  } catch {
    return path;
  }
}

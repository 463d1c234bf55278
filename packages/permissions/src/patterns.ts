import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "@mdx-ai/base";
import { pathWithin, realPathOrSame } from "@mdx-ai/base/disk";
import type { ToolAccess } from "@mdx-ai/loop";

/**
 * Characters that only `Bun.Glob` treats as special, such as `(` in `*(a)`; `*`, `?` and the escapes of permission patterns are
 * not among them.
 */
const FOREIGN_CHARACTERS = /\\[*?\\]|[\\[\]{}(),!]/g;

const globSource = (pattern: string): string =>
  pattern.replace(FOREIGN_CHARACTERS, (found) => (found.length === 2 ? found : `\\${found}`));

/** The text that a pattern without a wildcard matches; undefined for a pattern with one. */
export function literalOf(pattern: string): string | undefined {
  return /[*?]/.test(pattern.replace(/\\[*?\\]/g, "")) ? undefined : pattern.replace(/\\([*?\\])/g, "$1");
}

/** The pattern that matches this text alone. */
export const escaped = (text: string): string => text.replace(/[*?\\]/g, "\\$&");

/** Replaces "/", where the `*` of a glob would stop. It occurs in no text that a pattern may allow. */
const NO_SLASH = "\u0001";

/**
 * Matches whole texts: `*` matches any characters, `?` one character, and a backslash makes the next of these literal. Takes at
 * most time proportional to text length times pattern length.
 */
export function textMatcher(pattern: string): (text: string) => boolean {
  const literal = literalOf(pattern);
  if (literal !== undefined) return (text) => text === literal;
  const glob = new Bun.Glob(globSource(pattern).replaceAll("/", NO_SLASH));
  return (text) => glob.match(text.replaceAll("/", NO_SLASH));
}

/** The folders that path patterns are relative to. All absolute and real. */
export interface PatternRoots {
  readonly agentDir: string;
  readonly cwd: string;
  /** The folder where tools work, if it is not the agent directory. */
  readonly workspace?: string | undefined;
  /** The home folder; without it, patterns with `~/` match nothing. */
  readonly home: string | undefined;
}

/** A parsed path pattern. */
export interface PathPattern {
  /** The path before the first wildcard, or the whole path, when the pattern allows. Absolute; undefined for `~/` without a home. */
  readonly grantBase: string | undefined;
  /** The same when the pattern refuses: a relative pattern starts both in the workspace and in the agent directory. */
  readonly refusalBases: readonly string[];
  /** Whether it allows a path. Symbolic links inside the agent directory, the workspace or the working directory do not widen it. */
  grants(path: string): boolean;
  /** Whether it refuses a path; a folder includes everything in it. */
  refuses(path: string): boolean;
  /** Returns a test of refusals for many paths; symbolic links are followed once, when this is called. */
  refusing(): (path: string) => boolean;
}

/**
 * Parses a pattern: relative, absolute, or `~/…` below the home folder. A final "/" includes everything below. A relative pattern
 * allows paths where tools work; it refuses paths there and in the agent directory.
 */
export function pathPattern(pattern: string, roots: PatternRoots): PathPattern {
  const parts = (pattern.endsWith("/") ? `${pattern}**` : pattern).split("/");
  const found = parts.findIndex((part) => literalOf(part) === undefined);
  const fixed = found === -1 ? parts : parts.slice(0, found);
  // `*` and `?` stay within one part of a path, `**` matches any number of parts.
  const named = parts.slice(found).filter((part) => part !== "" && part !== ".");
  const rest = found === -1 ? undefined : new Bun.Glob(globSource(named.join("/")));
  const isRooted = pattern.startsWith("/");
  const text = fixed.map((part) => literalOf(part) ?? part).join("/");
  const baseIn = (folder: string): string | undefined => absoluteBase(text, { roots, isRooted, folder });
  const { agentDir, workspace = agentDir } = roots;
  const grantBase = baseIn(workspace);
  const steady = grantBase === undefined ? undefined : steadyPath(grantBase, roots);
  const refusalBases = [...new Set([workspace, agentDir].flatMap((folder) => baseIn(folder) ?? []))];
  const steadyBases = refusalBases.map((base) => steadyPath(base, roots));
  // A tool may have replaced the path by a link, so its target is refused, too.
  const currentBases = (): readonly string[] => [
    ...refusalBases,
    ...steadyBases,
    ...refusalBases.filter((base) => existsSync(base)).map(realPathOrSame),
  ];
  const matches = (from: string, path: string): boolean =>
    rest === undefined
      ? path === from
      : isWithin(from, path) && rest.match(path.slice(from === "/" ? 1 : from.length + 1));
  const matchesAround = (from: string, path: string): boolean =>
    isWithin(from, path) && (matches(from, path) || (path !== from && matchesAround(from, dirname(path))));
  const refusing = (): ((path: string) => boolean) => {
    const bases = currentBases();
    return (path) => bases.some((from) => matchesAround(from, path));
  };
  return {
    grantBase,
    refusalBases,
    grants: (path) => steady !== undefined && matches(steady, path),
    refuses: (path) => refusing()(path),
    refusing,
  };
}

function absoluteBase(
  fixed: string,
  { roots, isRooted, folder }: { readonly roots: PatternRoots; readonly isRooted: boolean; readonly folder: string },
): string | undefined {
  if (fixed === "~" || fixed.startsWith("~/")) return roots.home && join(roots.home, fixed.slice(1));
  if (isRooted || isAbsolute(fixed)) return resolve("/", fixed);
  return resolve(folder, fixed);
}

/**
 * Follows the user's links in a path. A path inside the agent directory, the workspace or the working directory stays as it is,
 * because tools can create links there.
 */
function steadyPath(path: string, { agentDir, cwd, workspace = cwd }: PatternRoots): string {
  const isWritable = (place: string): boolean => [agentDir, cwd, workspace].some((folder) => isWithin(folder, place));
  return path
    .split("/")
    .slice(1)
    .reduce((folder, part) => {
      const next = join(folder, part);
      return isWritable(next) ? next : realPathOrSame(next);
    }, "/");
}

/** The pattern that allows a call and no call with another access. If the access is unknown, it allows all calls of the tool. */
export function callPattern(
  tool: string,
  access: ToolAccess,
  places: Pick<PatternRoots, "workspace" | "agentDir">,
): string {
  switch (access.kind) {
    case "read":
    case "write":
      return `${escaped(tool)}(${escaped(grantedPath(access.path, places))})`;
    case "command":
      return `${escaped(tool)}(${escaped(access.command)})`;
    case "host":
      return `${escaped(tool)}(${escaped(access.host)})`;
    case "call":
      return escaped(tool);
  }
}

/** A path as it is written in an allowing pattern: relative to the folder where such patterns start. */
function grantedPath(path: string, { workspace, agentDir }: Pick<PatternRoots, "workspace" | "agentDir">): string {
  const relative = pathWithin(workspace ?? agentDir, path);
  return relative === undefined || relative === "" || relative.startsWith("~") ? path : relative;
}

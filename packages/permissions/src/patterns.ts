import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "@mdx-ai/base";
import { pathWithin, realPathOrSame } from "@mdx-ai/base/disk";
import type { ToolAccess } from "@mdx-ai/loop";

/** Characters that only `Bun.Glob` gives a meaning, such as `(` in `*(a)`; `*`, `?` and the escapes of permission patterns stay. */
const FOREIGN_CHARACTERS = /\\[*?\\]|[\\[\]{}(),!]/g;

const globSource = (pattern: string): string =>
  pattern.replace(FOREIGN_CHARACTERS, (found) => (found.length === 2 ? found : `\\${found}`));

/** The text that a pattern without a wildcard matches; undefined for a pattern with one. */
export function literalOf(pattern: string): string | undefined {
  return /[*?]/.test(pattern.replace(/\\[*?\\]/g, "")) ? undefined : pattern.replace(/\\([*?\\])/g, "$1");
}

/** The pattern that matches this text alone. */
export const escaped = (text: string): string => text.replace(/[*?\\]/g, "\\$&");

/** Replaces "/", at which `*` of a glob would end. No text that a pattern may widen to contains it. */
const NO_SLASH = "\u0001";

/**
 * Matches whole texts: `*` matches any characters, `?` one, and a backslash makes the next of these characters literal. The
 * time grows no faster than the text times the pattern.
 */
export function textMatcher(pattern: string): (text: string) => boolean {
  const literal = literalOf(pattern);
  if (literal !== undefined) return (text) => text === literal;
  const glob = new Bun.Glob(globSource(pattern).replaceAll("/", NO_SLASH));
  return (text) => glob.match(text.replaceAll("/", NO_SLASH));
}

/** The folders from which path patterns start. All absolute and real. */
export interface PatternRoots {
  readonly agentDir: string;
  readonly cwd: string;
  /** Where tools work, if that is not the agent directory. */
  readonly workspace?: string | undefined;
  /** Absent if the user has none; patterns with `~/` then match nothing. */
  readonly home: string | undefined;
}

/** A parsed path pattern. */
export interface PathPattern {
  /** Absolute: the path before the first wildcard, or the whole path, of what it allows. Undefined for `~/` without a home. */
  readonly grantBase: string | undefined;
  /** The same of what it refuses: a relative pattern begins in the workspace and in the agent directory. */
  readonly refusalBases: readonly string[];
  /** Whether it allows a path; a symbolic link within the agent directory, the workspace or the working directory widens nothing. */
  grants(path: string): boolean;
  /** Whether it refuses a path; a folder includes everything in it. */
  refuses(path: string): boolean;
  /** The same for many paths: follows links once, when it is called. */
  refusing(): (path: string) => boolean;
}

/**
 * Reads a pattern: relative, absolute, or below home as `~/…`. A final "/" means all below. What a relative one allows begins where
 * tools work; what it refuses is refused there and in the agent directory.
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
  // A tool may have turned the path into a link since: what it leads to is refused, too.
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
 * Follows the user's own links in a path. What lies in the agent directory, the workspace or the working directory keeps its name, because
 * tools can turn what they may write to into a link.
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

/**
 * The pattern that allows a call and no call with another access. If the access is unknown, it allows all calls of the
 * tool.
 */
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

/** A path as a pattern that allows something has it: relative to where such patterns begin. */
function grantedPath(path: string, { workspace, agentDir }: Pick<PatternRoots, "workspace" | "agentDir">): string {
  const relative = pathWithin(workspace ?? agentDir, path);
  return relative === undefined || relative === "" || relative.startsWith("~") ? path : relative;
}

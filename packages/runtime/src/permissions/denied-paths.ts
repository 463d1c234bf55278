import { join } from "node:path";
import { isWithin } from "../files/real-place.ts";
import type { Permissions } from "./permissions.ts";
import { layeredDecision } from "./policy.ts";
import type { ReadyRule, RuleLayers } from "./rules.ts";

/** The paths that the user or the directory denies to read, or to write. All paths are absolute and real. */
export interface DeniedPaths {
  /** Everything that is denied is at or below one of these. */
  readonly bases: readonly string[];
  /** Whether a pattern spells this name. */
  names(name: string): boolean;
  denies(path: string): boolean;
  /** Whether the user denies it, not the directory alone. */
  isOfUser(path: string): boolean;
  /** Whether everything in a folder is denied, and all that may be created there. */
  deniesAllIn(folder: string): boolean;
}

const TOOLS = { read: "read_file", write: "write_file" } as const;

/** What stands for any file: no pattern is meant for such names. */
const ANY_FILES: readonly string[] = ["\u0002", "\u0002/\u0002", "\u0002/\u0002/\u0002"];

/** The decision where no rule matches. */
const UNRULED = { author: "allow", byDefault: { verdict: "allow", reason: "" } } as const;

/**
 * What the rules for `read_file` or `write_file` deny outright; undefined if that is nothing. A rule without a path is about the
 * tool, and denies no path.
 */
export function deniedPaths(permissions: Permissions, kind: "read" | "write"): DeniedPaths | undefined {
  const layers = withoutBareDenials(permissions.rulesFor(TOOLS[kind], kind).all);
  const rules = [...layers.settings, ...layers.deny, ...layers.directory];
  const denials = rules.filter(({ rule }) => rule.verdict === "deny");
  if (denials.length === 0) return undefined;
  const lifting = [...rules.filter(({ rule }) => rule.verdict !== "deny"), ...layers.allow];
  const denies = (path: string): boolean => isDenied(layers, path);
  const isLiftedIn = (folder: string): boolean =>
    layers.allowsAll || lifting.map((rule) => rule.base()).some((base) => base === undefined || isNear(base, folder));
  return {
    bases: [...new Set(denials.flatMap((rule) => rule.base() ?? []))],
    names: (name) => denials.some(({ rule }) => rule.subject?.includes(name)),
    denies,
    isOfUser: (path) => isDenied({ ...layers, directory: [] }, path),
    deniesAllIn: (folder) => ANY_FILES.every((name) => denies(join(folder, name))) && !isLiftedIn(folder),
  };
}

function withoutBareDenials(layers: RuleLayers): RuleLayers {
  const named = (rules: readonly ReadyRule[]): readonly ReadyRule[] =>
    rules.filter(({ rule }) => rule.verdict !== "deny" || rule.subject !== undefined);
  return {
    ...layers,
    directory: named(layers.directory),
    settings: named(layers.settings),
    deny: named(layers.deny),
  };
}

function isDenied(layers: RuleLayers, path: string): boolean {
  const subject = { kind: "path", path, args: {} } as const;
  return layeredDecision(layers, subject, UNRULED).verdict === "deny";
}

const isNear = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

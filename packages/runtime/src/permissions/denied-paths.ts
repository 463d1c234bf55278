import { join } from "node:path";
import { isWithin } from "@mdx-ai/parser/is-within";
import type { Permissions } from "./permissions.ts";
import { layeredDecision, rulesForPaths } from "./policy.ts";
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

/** A name for any file; no pattern is meant for such names. */
const ANY_FILES: readonly string[] = ["\u0002", "\u0002/\u0002", "\u0002/\u0002/\u0002"];

/** The decision if no rule matches. */
const UNRULED = { author: "allow", byDefault: { action: "allow", reason: "" } } as const;

/**
 * The paths that the rules for `read_file` or `write_file` always deny; undefined if there are none. A rule without a path is about the
 * tool, and denies no path.
 */
export function deniedPaths(permissions: Permissions, kind: "read" | "write"): DeniedPaths | undefined {
  const { all } = permissions.rulesFor(TOOLS[kind], kind);
  if (![...all.settings, ...all.deny, ...all.directory].some(isPathDenial)) return undefined;
  const layers = rulesForPaths(all, isOfPath);
  const rules = [...layers.settings, ...layers.deny, ...layers.directory];
  const denials = rules.filter(({ rule }) => rule.action === "deny");
  const lifting = [...rules.filter(({ rule }) => rule.action !== "deny"), ...layers.allow].map((rule) => rule.bases());
  const denies = (path: string): boolean => isDenied(layers, path);
  const isLiftedIn = (folder: string): boolean =>
    lifting.some((bases) => bases?.some((base) => isNear(base, folder)) ?? true);
  return {
    bases: [...new Set(denials.flatMap((rule) => rule.bases() ?? []))],
    names: (name) => denials.some(({ rule }) => rule.subject?.includes(name)),
    denies,
    isOfUser: (path) => isDenied({ ...layers, directory: [] }, path),
    deniesAllIn: (folder) => ANY_FILES.every((name) => denies(join(folder, name))) && !isLiftedIn(folder),
  };
}

/** A denial without a path is about a tool, and hides nothing. */
const isOfPath = ({ rule }: ReadyRule): boolean => rule.action !== "deny" || rule.subject !== undefined;

const isPathDenial = ({ rule }: ReadyRule): boolean => rule.action === "deny" && rule.subject !== undefined;

function isDenied(layers: RuleLayers, path: string): boolean {
  const subject = { kind: "path", path, args: {} } as const;
  return layeredDecision(layers, subject, UNRULED).action === "deny";
}

const isNear = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

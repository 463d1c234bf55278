import { join } from "node:path";
import { isWithin } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { basicTool } from "@mdx-ai/parser";
import type { DeniedPaths } from "@mdx-ai/sandbox";
import { ALLOWED, layeredDecision, type PolicyDecision, STRENGTH, userDenialOf } from "./layered-decision.ts";
import type { Permissions } from "./permissions.ts";
import { secretDecision } from "./policy.ts";
import { pathSubject, type ReadyRule, type RuleLayers, selectedRules } from "./rules.ts";
import { secrecyOf } from "./secret-paths.ts";

const TOOLS = { read: basicTool.reads, write: basicTool.writes };

/** A file name that no pattern is meant to match. */
const ANY_FILES: readonly string[] = ["\u0002", "\u0002/\u0002", "\u0002/\u0002/\u0002"];

/**
 * The paths that the rules for `read_file` or `write_file` always deny; undefined if there are none. Rules without a path are
 * about the tool and deny no path.
 */
export function deniedPaths(permissions: Permissions, kind: "read" | "write"): DeniedPaths | undefined {
  const own = ownDeniedPaths(permissions, kind);
  const { parent } = permissions.options;
  const above = parent && deniedPaths(parent.permissions, kind);
  return own && above ? bothDenied(own, above) : (own ?? above);
}

const bothDenied = (one: DeniedPaths, other: DeniedPaths): DeniedPaths => ({
  bases: [...new Set([...one.bases, ...other.bases])],
  names: (name) => one.names(name) || other.names(name),
  denies: (path) => one.denies(path) || other.denies(path),
  isOfUser: (path) => one.isOfUser(path) || other.isOfUser(path),
  deniesAllIn: (folder) => one.deniesAllIn(folder) || other.deniesAllIn(folder),
});

function ownDeniedPaths(permissions: Permissions, kind: "read" | "write"): DeniedPaths | undefined {
  const { all } = permissions.rulesFor(TOOLS[kind], kind);
  if (![...all.settings, ...all.deny, ...all.directory].some((rule) => isDenial(rule) && namesPath(rule))) {
    return undefined;
  }
  const layers = rulesForPaths(all, (rule) => !isDenial(rule) || namesPath(rule));
  const rules = [...layers.settings, ...layers.deny, ...layers.directory];
  const denials = rules.filter(isDenial);
  const lifting = [...rules.filter((rule) => !isDenial(rule)), ...layers.allow].map((rule) => rule.bases());
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

const isDenial = ({ rule }: ReadyRule): boolean => rule.action === "deny";

const namesPath = ({ rule }: ReadyRule): boolean => rule.subject !== undefined;

const decisionAbout = (layers: RuleLayers, path: string): PolicyDecision =>
  layeredDecision(layers, pathSubject(path), { author: "allow", byDefault: ALLOWED });

const isDenied = (layers: RuleLayers, path: string): boolean => decisionAbout(layers, path).action === "deny";

const isNear = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

/** The selected rules, prepared for checking many paths. */
const rulesForPaths = (layers: RuleLayers, isMeant: (rule: ReadyRule) => boolean): RuleLayers =>
  selectedRules(layers, (rule) => (isMeant(rule) ? forManyPaths(rule) : undefined));

function forManyPaths(rule: ReadyRule): ReadyRule {
  const matchesPath = rule.matchingPaths();
  return { ...rule, matches: (subject) => subject.kind === "path" && matchesPath(subject.path) };
}

/** Whether the user denies every tool to write a path, or something in it. */
export function isWritingDenied(permissions: Permissions, path: string): boolean {
  const { ofAccess } = permissions.rulesFor(TOOLS.write, "write");
  if (userDenialOf(ofAccess, pathSubject(path))) return true;
  const isInside = (base: string): boolean => isWithin(path, base) || isWithin(path, realPathOrSame(base));
  return userDenials(ofAccess).some((rule) => rule.bases()?.some(isInside) ?? false);
}

/** Whether the user or the directory denies every tool to read a path. */
export const isReadingDenied = (permissions: Permissions, path: string): boolean =>
  isDenied(permissions.rulesFor(TOOLS.read, "read").ofAccess, path) ||
  (permissions.options.parent !== undefined && isReadingDenied(permissions.options.parent.permissions, path));

/** Whether the user denies every tool to read or to write some files. */
export const areFilesDenied = (permissions: Permissions): boolean =>
  (["read", "write"] as const).some((kind) => userDenials(permissions.rulesFor(TOOLS[kind], kind).ofAccess).length > 0);

const userDenials = ({ settings, deny }: RuleLayers): readonly ReadyRule[] => [...settings, ...deny].filter(isDenial);

/** Why showing a file needs a question, as text for people; undefined if it may be shown. `path` is absolute and real. */
export function whyHidden(permissions: Permissions, path: string): string | undefined {
  const secrecy = secrecyOf(path, permissions.places());
  if (secrecy !== undefined) return `it is in ${secrecy}`;
  return isReadingDenied(permissions, path) ? "reading it is denied" : undefined;
}

/**
 * Returns a test for real paths below a permitted root: whether a tool that searches may show them. It refuses a path if
 * `read_file` would be denied it, or would have to ask for a reason that does not apply to the root, such as a secret.
 */
export function shownPaths(permissions: Permissions, tool: string, root: string): (path: string) => boolean {
  const isShown = ownShownPaths(permissions, tool, root);
  const { parent } = permissions.options;
  if (parent === undefined) return isShown;
  const isShownAbove = shownPaths(parent.permissions, tool, root);
  return (path) => isShown(path) && isShownAbove(path);
}

function ownShownPaths(permissions: Permissions, tool: string, root: string): (path: string) => boolean {
  const places = permissions.places();
  const rules = permissions.rulesFor(tool, "read");
  // Rules without a path already decided about the call.
  const layers = [rules.all, rules.ofTool, rules.ofAccess]
    .map((each) => rulesForPaths(each, namesPath))
    .filter((each) => [each.directory, each.settings, each.allow, each.deny].some((ofLayer) => ofLayer.length > 0));
  const strengthOf = (path: string): number =>
    Math.max(STRENGTH.allow, ...layers.map((each) => STRENGTH[decisionAbout(each, path).action]));
  const ofRoot = strengthOf(root);
  const secrecyOfRoot = secrecyOf(root, places);
  const isSecret = (path: string): boolean => {
    const found = secrecyOf(path, places);
    if (found === undefined || found === secrecyOfRoot) return false;
    return secretDecision(places, rules.all, { kind: "read", path }) !== undefined;
  };
  return (path) => {
    const strength = strengthOf(path);
    return strength < STRENGTH.deny && strength <= ofRoot && !isSecret(path);
  };
}

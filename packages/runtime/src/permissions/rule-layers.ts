import {
  MalformedPermissionError,
  type PermissionRule,
  type PermissionSettings,
  patternText,
  permissionPattern,
  permissionRules,
  type Verdict,
} from "@mdx-ai/parser";
import type { UserPermissions } from "../types/permission.ts";
import { type CallSubject, type ReadyRule, readyRule } from "./call-subject.ts";
import type { PatternRoots } from "./path-pattern.ts";

/** What becomes of a call, and why. */
export interface Ruling {
  readonly verdict: Verdict;
  /** A line without a full stop. */
  readonly reason: string;
}

/** The rules that a tool's calls are held against, by who made them. */
export interface RuleLayers {
  readonly directory: readonly ReadyRule[];
  readonly settings: readonly ReadyRule[];
  readonly allow: readonly ReadyRule[];
  readonly deny: readonly ReadyRule[];
  readonly allowsAll: boolean;
}

/** Reads all rules. Throws `MalformedPermissionError`: a pattern that says nothing may have been a denial. */
export function ruleLayers(settings: PermissionSettings, user: UserPermissions, roots: () => PatternRoots): RuleLayers {
  const ready = (rules: readonly PermissionRule[]): readonly ReadyRule[] => rules.map((rule) => readyRule(rule, roots));
  return {
    directory: ready(permissionRules(settings)),
    settings: ready(permissionRules(user.settings ?? {})),
    allow: ready(flagRules(user.allow, "allow")),
    deny: ready(flagRules(user.deny, "deny")),
    allowsAll: user.allowsAll ?? false,
  };
}

const flagRules = (patterns: readonly string[] = [], verdict: Verdict): readonly PermissionRule[] =>
  patterns.map((text) => {
    const pattern = permissionPattern(text);
    if (pattern === undefined) throw new MalformedPermissionError(text);
    return { ...pattern, verdict };
  });

/** Those rules that speak of a tool. */
export function layersOf({ allowsAll, ...layers }: RuleLayers, toolName: string): RuleLayers {
  const ofTool = (rules: readonly ReadyRule[]): readonly ReadyRule[] => rules.filter((rule) => rule.isOfTool(toolName));
  const { directory, settings, allow, deny } = layers;
  return {
    ...{ directory: ofTool(directory), settings: ofTool(settings), allow: ofTool(allow), deny: ofTool(deny) },
    allowsAll,
  };
}

/** What holds where no rule speaks of a call. */
export interface Unruled {
  readonly author: Verdict;
  readonly ruling: Ruling;
}

/** Holds a subject against the rules: later layers go over earlier ones, and what the user denies over all. */
export function rulingOf(layers: RuleLayers, subject: CallSubject, { author, ruling }: Unruled): Ruling {
  const matches = (rule: ReadyRule): boolean => rule.matches(subject);
  const ofUser = layers.settings.findLast(matches);
  if (ofUser?.rule.verdict === "deny") return ruled(ofUser, "the user's settings deny");
  const denied = layers.deny.find(matches);
  if (denied) return ruled(denied, "the user denies");
  if (layers.allowsAll || layers.allow.some(matches)) return ALLOWED;
  if (ofUser) return ruled(ofUser, "the user's settings ask about");
  const ofDirectory = layers.directory.findLast(matches);
  if (ofDirectory) {
    const verb = ofDirectory.rule.verdict === "deny" ? "deny" : "ask about";
    return ruled(ofDirectory, `the agent's settings ${verb}`);
  }
  if (author === "allow") return ruling;
  return { verdict: author, reason: author === "ask" ? "its author wants it asked about" : "its author denies it" };
}

/** Whether the user has named a place that holds a path, in a rule that lets it through. */
export function isNamedByUser(layers: RuleLayers, path: string, isSecret: (place: string) => boolean): boolean {
  const subject: CallSubject = { kind: "path", path };
  const ofUser = layers.settings.findLast((rule) => rule.matches(subject));
  const granting = layers.allow.filter((rule) => rule.matches(subject));
  if (ofUser?.rule.verdict === "allow") granting.push(ofUser);
  return granting.some((rule) => {
    const base = rule.base();
    return base !== undefined && isSecret(base);
  });
}

export const ALLOWED: Ruling = { verdict: "allow", reason: "" };

const ruled = ({ rule }: ReadyRule, saying: string): Ruling =>
  rule.verdict === "allow" ? ALLOWED : { verdict: rule.verdict, reason: `${saying} ${patternText(rule)}` };

const STRENGTH: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };

/** Of several rulings the strictest; `ALLOWED` of none. */
export const strictest = (rulings: readonly Ruling[]): Ruling =>
  rulings.reduce((one, other) => (STRENGTH[other.verdict] > STRENGTH[one.verdict] ? other : one), ALLOWED);

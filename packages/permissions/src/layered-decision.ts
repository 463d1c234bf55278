import { type PermissionAction, patternText } from "@mdx-ai/parser";
import type { CallRules, CallSubject, ReadyRule, RuleLayers } from "./rules.ts";

/** The policy decision about a call, and why. */
export interface PolicyDecision {
  readonly action: PermissionAction;
  /** A line without a full stop. */
  readonly reason: string;
  /** Whether a rule asks about specific commands, such as `bash(git push *)`; an approval of a prefix does not override it. */
  readonly isAboutCommand?: boolean;
}

export const ALLOWED: PolicyDecision = { action: "allow", reason: "" };

/** The decision if no rule matches the call. */
interface Fallback {
  /** The author's permission for the tool. */
  readonly author: PermissionAction;
  readonly byDefault: PolicyDecision;
}

/**
 * Combines the decision about the access, made as for a builtin tool, with the rules that name the tool. A rule for the access
 * overrides neither a rule that names the tool nor the author's permission. The user's denial of an access applies to every tool.
 */
export function ruledDecision(rules: CallRules, subject: CallSubject, fallback: Fallback): PolicyDecision {
  const { all, ofTool, ofAccess } = rules;
  const decision = layeredDecision(all, subject, fallback);
  if (all === ofTool) return decision;
  const ofToolAlone = layeredDecision(ofTool, subject, { ...fallback, byDefault: ALLOWED });
  return strictest([userDenialOf(ofAccess, subject) ?? ALLOWED, decision, ofToolAlone]);
}

/** Later layers override earlier ones, and the user's denials override all. */
export function layeredDecision(
  layers: RuleLayers,
  subject: CallSubject,
  { author, byDefault }: Fallback,
): PolicyDecision {
  const matches = (rule: ReadyRule): boolean => rule.matches(subject);
  const denied = userDenialOf(layers, subject);
  if (denied) return denied;
  if (layers.allowsAll || layers.allow.some(matches)) return ALLOWED;
  const ofUser = layers.settings.findLast(matches);
  if (ofUser) return decisionOf(ofUser, "the user's settings ask about");
  const ofDirectory = layers.directory.findLast(matches);
  if (ofDirectory) {
    const verb = ofDirectory.rule.action === "deny" ? "deny" : "ask about";
    return decisionOf(ofDirectory, `the agent's settings ${verb}`);
  }
  if (author === "allow") return byDefault;
  return { action: author, reason: author === "ask" ? "its author requires approval" : "its author denies it" };
}

/** The user's denial of a subject; undefined if there is none. */
export function userDenialOf(layers: RuleLayers, subject: CallSubject): PolicyDecision | undefined {
  const matches = (rule: ReadyRule): boolean => rule.matches(subject);
  const ofUser = layers.settings.findLast(matches);
  if (ofUser?.rule.action === "deny") return decisionOf(ofUser, "the user's settings deny");
  const ofFlags = layers.deny.find(matches);
  return ofFlags && decisionOf(ofFlags, "the user denies");
}

/** The user's rules that allow a subject. */
export function userGrants(layers: RuleLayers, subject: CallSubject): readonly ReadyRule[] {
  const matches = (rule: ReadyRule): boolean => rule.matches(subject);
  const ofSettings = layers.settings.findLast(matches);
  const ofFlags = layers.allow.filter(matches);
  return ofSettings?.rule.action === "allow" ? [...ofFlags, ofSettings] : ofFlags;
}

function decisionOf({ rule }: ReadyRule, because: string): PolicyDecision {
  if (rule.action === "allow") return ALLOWED;
  const isAboutCommand = rule.subject !== undefined && !/^\*+$/.test(rule.subject);
  return { action: rule.action, reason: `${because} ${patternText(rule)}`, ...(isAboutCommand && { isAboutCommand }) };
}

/** The actions by strictness. */
export const STRENGTH: Readonly<Record<PermissionAction, number>> = { allow: 0, ask: 1, deny: 2 };

const strictness = ({ action, isAboutCommand }: PolicyDecision): number =>
  STRENGTH[action] + (action === "ask" && isAboutCommand === true ? 0.5 : 0);

/** The strictest of several decisions, the first among equals; `ALLOWED` for none. */
export const strictest = (decisions: readonly PolicyDecision[]): PolicyDecision =>
  decisions.reduce((one, other) => (strictness(other) > strictness(one) ? other : one), ALLOWED);

import {
  MalformedPermissionError,
  type PermissionRule,
  type PermissionSettings,
  permissionPattern,
  permissionRules,
  type Verdict,
} from "@mdx-ai/parser";
import type { ToolTouch, UserPermissions } from "../types/permission.ts";
import type { PatternRoots } from "./patterns.ts";
import { type ReadyRule, readyRule } from "./ready-rule.ts";

/** The rules that apply, by who made them. */
export interface RuleLayers {
  readonly directory: readonly ReadyRule[];
  readonly settings: readonly ReadyRule[];
  readonly allow: readonly ReadyRule[];
  readonly deny: readonly ReadyRule[];
  readonly allowsAll: boolean;
}

/** Reads all rules. Throws `MalformedPermissionError`, because a pattern without a meaning may have been a denial. */
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

/** The tool whose rules apply to every access of a kind, whichever tool declares it. */
const TOOL_OF_ACCESS: Readonly<Record<ToolTouch["kind"], string | undefined>> = {
  read: "read_file",
  write: "write_file",
  command: "bash",
  call: undefined,
};

/** The rules that apply to a tool's calls with one kind of access. */
export interface CallRules {
  /** Those that name the tool and those for the access, in the order in which they were written. */
  readonly all: RuleLayers;
  /** Those that name the tool; the same object as `all` for a builtin tool and an unknown access. */
  readonly ofTool: RuleLayers;
  /** Those for the access, such as `bash(git *)` for a tool that runs a command. */
  readonly ofAccess: RuleLayers;
}

/** Selects the rules for the calls of a tool that declare this kind of access. */
export function callRules(layers: RuleLayers, toolName: string, kind: ToolTouch["kind"]): CallRules {
  const accessTool = TOOL_OF_ACCESS[kind];
  const forAccess: Selector = (rule) => (accessTool !== undefined && rule.namesTool(accessTool) ? rule : undefined);
  const ofAccess = selected(layers, forAccess);
  if (accessTool === toolName) return { all: ofAccess, ofTool: ofAccess, ofAccess };
  const forTool: Selector = (rule) => (rule.namesTool(toolName) ? withArguments(rule) : undefined);
  const ofTool = selected(layers, forTool);
  const all = accessTool === undefined ? ofTool : selected(layers, (rule) => forTool(rule) ?? forAccess(rule));
  return { all, ofTool, ofAccess };
}

type Selector = (rule: ReadyRule) => ReadyRule | undefined;

const selected = ({ allowsAll, ...layers }: RuleLayers, select: Selector): RuleLayers => {
  const ofLayer = (rules: readonly ReadyRule[]): readonly ReadyRule[] => rules.flatMap((rule) => select(rule) ?? []);
  return {
    directory: ofLayer(layers.directory),
    settings: ofLayer(layers.settings),
    allow: ofLayer(layers.allow),
    deny: ofLayer(layers.deny),
    allowsAll,
  };
};

/** `deploy(to=prod)` names a parameter, whatever access `deploy` declares. */
const withArguments = (rule: ReadyRule): ReadyRule => ({
  ...rule,
  matches: (subject) => rule.matches(subject) || rule.matchesArguments(subject.args),
});

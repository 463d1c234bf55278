import { type JsonObject, once } from "@mdx-ai/base";
import type { ToolAccess, UserPermissions } from "@mdx-ai/loop";
import {
  basicTool,
  MalformedPermissionError,
  type PermissionAction,
  type PermissionRule,
  type PermissionSettings,
  permissionPattern,
  permissionRules,
} from "@mdx-ai/parser";
import { commandForms } from "./command-forms.ts";
import { literalOf, type PatternRoots, pathPattern, textMatcher } from "./patterns.ts";
import { type SimpleCommand, shellCommands } from "./shell-commands.ts";

/** The rules by their author. */
export interface RuleLayers {
  readonly directory: readonly ReadyRule[];
  readonly settings: readonly ReadyRule[];
  readonly allow: readonly ReadyRule[];
  readonly deny: readonly ReadyRule[];
  readonly allowsAll: boolean;
}

/** Parses all rules. Throws `MalformedPermissionError`, since a pattern that cannot be parsed may have been a denial. */
export function ruleLayers(settings: PermissionSettings, user: UserPermissions, roots: () => PatternRoots): RuleLayers {
  const ready = (rules: readonly PermissionRule[]): readonly ReadyRule[] => rules.map((rule) => readyRule(rule, roots));
  const [ofDirectory, ofUser] = [permissionRules(settings), permissionRules(user.settings ?? {})];
  return {
    directory: ready(ofDirectory),
    settings: ready(ofUser),
    allow: ready(flagRules(user.allow, "allow")),
    deny: ready(flagRules(user.deny, "deny")),
    allowsAll: user.allowsAll ?? false,
  };
}

const flagRules = (patterns: readonly string[] = [], action: PermissionAction): readonly PermissionRule[] =>
  patterns.map((text) => {
    const pattern = permissionPattern(text);
    if (pattern === undefined) throw new MalformedPermissionError(text);
    return { ...pattern, action };
  });

/** The builtin tool whose rules apply to a kind of access, in every tool that declares it. */
const TOOL_OF_ACCESS: Readonly<Record<ToolAccess["kind"], string | undefined>> = {
  read: basicTool.reads,
  write: basicTool.writes,
  command: basicTool.runs,
  host: undefined,
  call: undefined,
};

/** The rules that apply to a tool's calls with one kind of access. */
export interface CallRules {
  /** The rules that name the tool and the rules for the access, in the order in which they were written. */
  readonly all: RuleLayers;
  /** The rules that name the tool; the same object as `all` for a builtin tool and an unknown access. */
  readonly ofTool: RuleLayers;
  /** The rules for the access, such as `bash(git *)` for a tool that runs a command. */
  readonly ofAccess: RuleLayers;
}

/** Selects the rules for the calls of a tool that declare this kind of access. */
export function callRules(layers: RuleLayers, toolName: string, kind: ToolAccess["kind"]): CallRules {
  const accessTool = TOOL_OF_ACCESS[kind];
  const forAccess: Selector = (rule) => (accessTool !== undefined && rule.namesTool(accessTool) ? rule : undefined);
  const ofAccess = selectedRules(layers, forAccess);
  if (accessTool === toolName) return { all: ofAccess, ofTool: ofAccess, ofAccess };
  const forTool: Selector = (rule) => (rule.namesTool(toolName) ? withArguments(rule) : undefined);
  const ofTool = selectedRules(layers, forTool);
  const all = accessTool === undefined ? ofTool : selectedRules(layers, (rule) => forTool(rule) ?? forAccess(rule));
  return { all, ofTool, ofAccess };
}

type Selector = (rule: ReadyRule) => ReadyRule | undefined;

/** Applies `select` to the rules of each layer. */
export const selectedRules = ({ allowsAll, ...layers }: RuleLayers, select: Selector): RuleLayers => {
  const ofLayer = (rules: readonly ReadyRule[]): readonly ReadyRule[] => rules.flatMap((rule) => select(rule) ?? []);
  return {
    directory: ofLayer(layers.directory),
    settings: ofLayer(layers.settings),
    allow: ofLayer(layers.allow),
    deny: ofLayer(layers.deny),
    allowsAll,
  };
};

/** Whether a rule names a parameter of its tool, as in `deploy(to=prod)`. It applies to every access that `deploy` declares. */
const withArguments = (rule: ReadyRule): ReadyRule => ({
  ...rule,
  matches: (subject) => rule.matches(subject) || rule.matchesArguments(subject.args),
});

/** What a rule is matched against: a call, or one command of a call that runs several. */
export type CallSubject = { readonly args: JsonObject } & (
  | { readonly kind: "path"; readonly path: string }
  | {
      readonly kind: "command";
      /** The whole shell text. */
      readonly whole: string;
      readonly isPlain: boolean;
      /** The start of the part of the whole text that no pattern allows; undefined if it is plain. */
      readonly obstacle?: string | undefined;
      readonly command: SimpleCommand;
      /** Plain forms of the command. If the text is not plain, the forms of the whole text, the same for all its commands. */
      forms(): readonly string[];
    }
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "arguments" }
);

/** A path as a subject; other arguments are ignored. */
export const pathSubject = (path: string): CallSubject => ({ kind: "path", path, args: {} });

/** The subjects of a call; the rules must allow every one. Not empty. */
export function subjectsOf(access: ToolAccess, args: JsonObject): readonly CallSubject[] {
  switch (access.kind) {
    case "read":
    case "write":
      return [{ kind: "path", path: access.path, args }];
    case "command":
      return commandSubjects(access.command, args);
    case "host":
      return [{ kind: "host", host: access.host, args }];
    case "call":
      return [{ kind: "arguments", args }];
  }
}

function commandSubjects(whole: string, args: JsonObject): readonly CallSubject[] {
  const { isPlain, obstacle, commands } = shellCommands(whole);
  const found = commands.length === 0 ? [{ text: whole.trim(), plain: whole.trim(), words: whole.trim() }] : commands;
  // Where quotes end in the whole text is a guess, so each piece is parsed alone, too.
  const formsOfWhole = once(() => [...new Set([whole, ...found.map(({ text }) => text)])].flatMap(commandForms));
  return found.map((command) => {
    const forms = isPlain ? once(() => commandForms(command.text)) : formsOfWhole;
    return { kind: "command", whole, isPlain, obstacle, command, forms, args };
  });
}

/** A rule whose patterns are parsed once, on first use. */
export interface ReadyRule {
  readonly rule: PermissionRule;
  namesTool(name: string): boolean;
  matches(subject: CallSubject): boolean;
  /** Whether it matches a `parameter=value` of a call. */
  matchesArguments(args: JsonObject): boolean;
  /** Returns a test of paths; symbolic links are followed once, when this is called. */
  matchingPaths(): (path: string) => boolean;
  /** The paths at which its pattern starts; undefined for a rule that applies to all paths. */
  bases(): readonly string[] | undefined;
}

/** Prepares a rule. `roots` is called when a path is first matched. */
function readyRule(rule: PermissionRule, roots: () => PatternRoots): ReadyRule {
  const namesTool = textMatcher(rule.tool);
  const { subject } = rule;
  if (subject === undefined) {
    const matches = (): boolean => true;
    return {
      rule,
      namesTool,
      matches,
      matchesArguments: matches,
      matchingPaths: () => matches,
      bases: () => undefined,
    };
  }
  const path = once(() => pathPattern(subject, roots()));
  const command = once(() => commandMatcher(subject, rule.action === "allow"));
  const host = once(() => textMatcher(subject));
  const parameter = once(() => parameterMatcher(subject));
  const matches = (call: CallSubject): boolean => {
    switch (call.kind) {
      case "path":
        return rule.action === "allow" ? path().grants(call.path) : path().refuses(call.path);
      case "command":
        return command()(call);
      case "host":
        return host()(call.host) || parameter()(call.args);
      case "arguments":
        return parameter()(call.args);
    }
  };
  const matchingPaths = (): ((path: string) => boolean) =>
    rule.action === "allow" ? path().grants : path().refusing();
  const matchesArguments = (args: JsonObject): boolean => parameter()(args);
  const bases = (): readonly string[] => {
    const { grantBase, refusalBases } = path();
    if (rule.action !== "allow") return refusalBases;
    return grantBase === undefined ? [] : [grantBase];
  };
  return { rule, namesTool, matches, matchesArguments, matchingPaths, bases };
}

type CommandSubject = Extract<CallSubject, { readonly kind: "command" }>;

/**
 * Allowing matches conservatively: a wildcard matches words of one simple command, so the shell cannot widen it. Refusing matches
 * wherever the pattern occurs.
 */
function commandMatcher(pattern: string, isGrant: boolean): (subject: CommandSubject) => boolean {
  const matches = commandText(pattern);
  if (!isGrant) {
    // All commands share the whole text and its forms: there may be thousands.
    const matchesWhole = forLast(matches);
    const matchesForm = forLast((forms: readonly string[]) => forms.some(matches));
    return ({ whole, command: { text, words }, forms }) =>
      matchesWhole(whole) || matches(text) || (words !== text && matches(words)) || matchesForm(forms());
  }
  const literal = literalOf(pattern);
  const isAll = /^\*+$/.test(pattern);
  return ({ whole, isPlain, command }) => isAll || whole === literal || (isPlain && matches(command.plain));
}

/** `git *` also matches `git`. */
function commandText(pattern: string): (text: string) => boolean {
  const matches = textMatcher(pattern);
  const bare = pattern.endsWith(" *") ? textMatcher(pattern.slice(0, -2)) : undefined;
  return (text) => matches(text) || (bare?.(text) ?? false);
}

/** `city=V*` matches a parameter whose value, as text, matches. */
function parameterMatcher(pattern: string): (args: JsonObject) => boolean {
  const sign = pattern.indexOf("=");
  if (sign === -1) return () => false;
  const name = pattern.slice(0, sign).trim();
  const matches = textMatcher(pattern.slice(sign + 1).trim());
  return (args) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return value !== undefined && matches(typeof value === "string" ? value : JSON.stringify(value));
  };
}

/** Caches the answer for the last value. */
function forLast<Value>(matches: (value: Value) => boolean): (value: Value) => boolean {
  let last: { readonly value: Value; readonly isMatch: boolean } | undefined;
  return (value) => {
    if (last?.value !== value) last = { value, isMatch: matches(value) };
    return last.isMatch;
  };
}

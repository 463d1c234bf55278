import type { JsonObject } from "@mdx-ai/base";
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

/** The tool whose rules apply to every access of a kind, whichever tool declares it. */
const TOOL_OF_ACCESS: Readonly<Record<ToolAccess["kind"], string | undefined>> = {
  read: basicTool.reads,
  write: basicTool.writes,
  command: basicTool.runs,
  host: undefined,
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

/** The rules of each layer that `select` returns, in place of those it receives. */
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

/** `deploy(to=prod)` names a parameter, whatever access `deploy` declares. */
const withArguments = (rule: ReadyRule): ReadyRule => ({
  ...rule,
  matches: (subject) => rule.matches(subject) || rule.matchesArguments(subject.args),
});

/** The subject of a rule: a call, or one command of a call that runs several. */
export type CallSubject = { readonly args: JsonObject } & (
  | { readonly kind: "path"; readonly path: string }
  | {
      readonly kind: "command";
      /** The whole shell text. */
      readonly whole: string;
      readonly isPlain: boolean;
      readonly command: SimpleCommand;
      /** Plain forms of the command; if the whole text is not plain, its forms, the same for all its commands. */
      forms(): readonly string[];
    }
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "arguments" }
);

/** A path as a subject, whatever the other arguments are. */
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
  const { isPlain, commands } = shellCommands(whole);
  const found = commands.length === 0 ? [{ text: whole.trim(), plain: whole.trim(), words: whole.trim() }] : commands;
  // The end of quotes in the whole text is a guess: each piece is read by itself, too.
  const formsOfWhole = once(() => [...new Set([whole, ...found.map(({ text }) => text)])].flatMap(commandForms));
  return found.map((command) => {
    const forms = isPlain ? once(() => commandForms(command.text)) : formsOfWhole;
    return { kind: "command", whole, isPlain, command, forms, args };
  });
}

/** A rule whose patterns are parsed once, when they are first needed. */
export interface ReadyRule {
  readonly rule: PermissionRule;
  namesTool(name: string): boolean;
  matches(subject: CallSubject): boolean;
  /** Whether it matches a `parameter=value` of a call. */
  matchesArguments(args: JsonObject): boolean;
  /** Whether it matches a path: for many paths, with links as they are when this is called. */
  matchingPaths(): (path: string) => boolean;
  /** The paths at which a path pattern begins; undefined for a rule that holds for all paths. */
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
 * The shell cannot widen a grant: a wildcard matches words of one simple command. A refusal matches wherever the pattern
 * is found.
 */
function commandMatcher(pattern: string, isGrant: boolean): (subject: CommandSubject) => boolean {
  const matches = commandText(pattern);
  if (!isGrant) {
    // The whole text and its forms are shared by all its commands: there may be thousands.
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

/** Makes a value when it is first needed. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

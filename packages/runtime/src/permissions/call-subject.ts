import type { JsonObject } from "@mdx-ai/models";
import type { PermissionRule } from "@mdx-ai/parser";
import type { ToolTouch } from "../types/permission.ts";
import type { PathPattern, PatternRoots } from "./path-pattern.ts";
import { pathPattern } from "./path-pattern.ts";
import { type ShellCommands, type SimpleCommand, shellCommands } from "./shell-commands.ts";
import { literalOf, textMatcher } from "./wildcards.ts";

/** What the rules are held against: a call, or of a text for the shell one of its commands. */
export type CallSubject =
  | { readonly kind: "path"; readonly path: string }
  | {
      readonly kind: "command";
      /** The whole text. */
      readonly whole: string;
      readonly isPlain: boolean;
      readonly command: SimpleCommand;
    }
  | { readonly kind: "arguments"; readonly args: JsonObject };

/** What of a call the rules must all let through. Not empty. */
export function subjectsOf(touch: ToolTouch, args: JsonObject): readonly CallSubject[] {
  switch (touch.kind) {
    case "read":
    case "write":
      return [{ kind: "path", path: touch.path }];
    case "command":
      return commandSubjects(touch.command, shellCommands(touch.command));
    case "call":
      return [{ kind: "arguments", args }];
  }
}

function commandSubjects(whole: string, { isPlain, commands }: ShellCommands): readonly CallSubject[] {
  const found = commands.length === 0 ? [{ text: whole.trim(), words: whole.trim() }] : commands;
  return found.map((command) => ({ kind: "command", whole, isPlain, command }));
}

/** A rule whose patterns are read once. */
export interface ReadyRule {
  readonly rule: PermissionRule;
  isOfTool(name: string): boolean;
  matches(subject: CallSubject): boolean;
  /** The place that a pattern of paths begins at; undefined where the rule holds for all paths. */
  base(): string | undefined;
}

/** Makes a rule ready: its patterns are read when they are first needed. */
export function readyRule(rule: PermissionRule, roots: () => PatternRoots): ReadyRule {
  const isOfTool = textMatcher(rule.tool);
  const { subject } = rule;
  if (subject === undefined) return { rule, isOfTool, matches: () => true, base: () => undefined };
  const path = once(() => pathPattern(subject, roots()));
  const command = once(() => commandMatcher(subject, rule.verdict === "allow"));
  const parameter = once(() => parameterMatcher(subject));
  const matches = (touched: CallSubject): boolean => {
    switch (touched.kind) {
      case "path":
        return pathMatches(path(), touched.path, rule);
      case "command":
        return command()(touched);
      case "arguments":
        return parameter()(touched.args);
    }
  };
  return { rule, isOfTool, matches, base: () => path().base };
}

type CommandSubject = Extract<CallSubject, { readonly kind: "command" }>;

const pathMatches = (pattern: PathPattern, path: string, { verdict }: PermissionRule): boolean =>
  verdict === "allow" ? pattern.grants(path) : pattern.refuses(path);

/**
 * What grants is not widened by what the shell makes of a text: a wildcard stands for words of one simple command. What
 * refuses matches wherever the pattern is found.
 */
function commandMatcher(pattern: string, isGrant: boolean): (subject: CommandSubject) => boolean {
  const matches = commandText(pattern);
  if (!isGrant) {
    // The same for each command of a text, of which there may be thousands.
    const matchesWhole = forLast(matches);
    return ({ whole, command }) => matchesWhole(whole) || candidates(command).some(matches);
  }
  const literal = literalOf(pattern);
  const isAll = /^\*+$/.test(pattern);
  return ({ whole, isPlain, command }) => isAll || whole === literal || (isPlain && matches(command.text));
}

/** `git *` is also `git`. */
function commandText(pattern: string): (text: string) => boolean {
  const matches = textMatcher(pattern);
  const bare = pattern.endsWith(" *") ? textMatcher(pattern.slice(0, -2)) : undefined;
  return (text) => matches(text) || (bare?.(text) ?? false);
}

const ASSIGNMENTS = /^(?:[A-Za-z_]\w*\+?=\S*\s+)+/;

const candidates = ({ text, words }: SimpleCommand): readonly string[] =>
  words === text ? [text, text.replace(ASSIGNMENTS, "")] : [text, words, words.replace(ASSIGNMENTS, "")];

/** `city=V*`: a parameter whose value, as text, matches. */
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

/** Remembers what came of the last text. */
function forLast(matches: (text: string) => boolean): (text: string) => boolean {
  let last: { readonly text: string; readonly isMatch: boolean } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, isMatch: matches(text) };
    return last.isMatch;
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

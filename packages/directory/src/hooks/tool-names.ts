import { isAbsolute, resolve } from "node:path";
import { type JsonObject, recordOf } from "@mdx-ai/base";
import { builtinCalled, builtinGroups, builtinsReplacing, counterpartOf } from "@mdx-ai/parser";

/** The first words of names such as `WebFetch`. */
const FIRST_WORD = /^(web|todo|bash|kill)(?=[a-z])/;

/** The name that a tool has for hooks: that of its counterpart in Claude Code, `mcp__SERVER__TOOL`, or its own. */
export function hookToolName(tool: string): string {
  const [, server, name] = /^mcp\.([^.]+)\.(.+)$/.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) return `mcp__${server}__${name}`;
  const builtin = builtinGroups.coding.find((one) => one === tool);
  if (builtin === undefined) return tool;
  const counterpart = counterpartOf(builtin);
  if (counterpart.length < 3) return counterpart.toUpperCase();
  return counterpart
    .split(FIRST_WORD)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");
}

/** The arguments of a call for hooks: with the names that Claude Code's tools have, too. Its paths are absolute. */
export function hookToolInput(args: JsonObject, cwd: string): JsonObject {
  const { path, edits, background } = args;
  const [edit] = Array.isArray(edits) ? edits : [];
  const { old, new: text, all } = recordOf(edit);
  return {
    ...args,
    ...(typeof path === "string" && { file_path: isAbsolute(path) ? path : resolve(cwd, path) }),
    ...(typeof old === "string" && typeof text === "string" && { old_string: old, new_string: text }),
    ...(typeof all === "boolean" && { replace_all: all }),
    ...(typeof background === "boolean" && { run_in_background: background }),
  };
}

/** Names separated by `|`, as opposed to a regular expression. */
const NAMES = /^[\w\s,|-]+$/;

/** Whether a matcher matches one of some names, as in Claude Code. */
export function matches(matcher: string | undefined, names: readonly string[]): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (!NAMES.test(matcher)) return names.some((name) => new RegExp(matcher).test(name));
  return namesIn(matcher).some((name) => names.includes(name));
}

/** The same for a tool, by its name here or by that of a tool whose work it does. */
export function matchesTool(matcher: string | undefined, tool: string): boolean {
  if (matches(matcher, [tool, hookToolName(tool)])) return true;
  const isReplaced = (name: string): boolean =>
    builtinCalled(name) === tool || builtinsReplacing(name).some((one) => one === tool);
  return matcher !== undefined && NAMES.test(matcher) && namesIn(matcher).some(isReplaced);
}

const namesIn = (matcher: string): readonly string[] => matcher.split(/[|,]/).map((name) => name.trim());

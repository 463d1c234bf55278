import { didYouMean } from "@mdx-ai/base";
import { allBuiltinToolNames, builtinCalled, builtinGroups } from "../builtin-tools.ts";
import { quoted, type Report } from "../report.ts";
import { offsetOf, type SettingsReading, type WrittenSettings, type WrittenTools } from "./settings-reading.ts";

/** The settings that restrict which tools a model gets. */
const toolSettings = ["builtins", "tools"] as const;

/** A tool that `builtins` or `tools` names. */
export interface OfferedTool {
  readonly setting: (typeof toolSettings)[number];
  /** As written. */
  readonly name: string;
  /** Of the setting's value, or of the name in a list. */
  readonly offset: number;
}

/** The tool that a name in `builtins` or `tools` means: other programs write a capital letter. */
const meantTool = (name: string): string => (/^[A-Z]/.test(name) ? (builtinCalled(name) ?? name) : name);

/** The groups of builtin tools, as `builtins` names them. */
const groups: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(builtinGroups));

/** The builtin tools that a value of `builtins` names; a group means its tools. Undefined as for `offeredTools`. */
export const offeredBuiltinNames = (value: string | readonly string[] | undefined): readonly string[] | undefined => {
  const names = offeredTools(value);
  return names && [...new Set(names.flatMap((name) => groups.get(name) ?? name))];
};

/** The names that `builtins` takes: those of tools and of groups. */
const builtinWords: readonly string[] = [...allBuiltinToolNames, ...groups.keys()];

/**
 * The tools that a value of `builtins` or `tools` names: a list, or a text with commas; `off` names none. Undefined if the
 * value is absent or `*`, which restricts nothing.
 */
export function offeredTools(value: string | readonly string[] | undefined): readonly string[] | undefined {
  const names = value === undefined ? ["*"] : namesIn(value);
  return names.includes("*") ? undefined : [...new Set(names.map(meantTool))];
}

function namesIn(value: string | readonly string[]): readonly string[] {
  if (value === "off") return [];
  const names = typeof value === "string" ? value.split(/,(?![^(]*\))/) : value;
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

export const isToolsMap = (value: WrittenSettings["tools"]): value is WrittenTools =>
  typeof value === "object" && !Array.isArray(value);

/** The names of the setting `tools`, in either form. */
export const toolNamesOf = (value: WrittenSettings["tools"]): WrittenTools["names"] =>
  isToolsMap(value) ? value.names : value;

/** The tools that the settings name, with their offsets. */
export function namedTools(reading: SettingsReading): readonly OfferedTool[] {
  return toolSettings.flatMap((setting) => {
    const written = reading.accepted[setting];
    const value = toolNamesOf(written);
    if (value === undefined) return [];
    const path = isToolsMap(written) ? [setting, "names"] : [setting];
    const isOne = typeof value === "string";
    return (isOne ? [value] : value).flatMap((text, index) => {
      const offset = offsetOf(reading, isOne ? path : [...path, String(index)], "value");
      const names = namesIn(isOne ? text : [text]);
      return names.filter((name) => name !== "*").map((name) => ({ setting, name, offset }));
    });
  });
}

/** The tools that an agent has by its files. */
export interface AvailableTools {
  /** All, builtin ones included. */
  readonly names: readonly string[];
  /** Whether others may be added when it runs. */
  readonly hasOthers: boolean;
}

/** Reports names of tools that restrict to nothing: passing over one would leave out a tool that its author wants. */
export function reportOfferedTools(named: readonly OfferedTool[], available: AvailableTools, report: Report): void {
  for (const { setting, name, offset } of named) {
    const known = setting === "builtins" ? builtinWords : available.names;
    const isOpen = setting === "tools" && available.hasOthers && !name.includes("(");
    if (isOpen || known.includes(meantTool(name))) continue;
    report({
      rule: "setting-tool",
      offset,
      message: `unexpected tool ${quoted(name)} in \`${setting}\`, expected one of ${known.join(", ")}`,
      hint: hintFor(name, known),
    });
  }
}

function hintFor(name: string, known: readonly string[]): string {
  const tool = /^(.+?)\(/.exec(name)?.[1];
  if (tool === undefined) return didYouMean(name, known, "remove it: this agent has no such tool");
  return `write \`${meantTool(tool)}\` here and the commands or paths in \`permissions\``;
}

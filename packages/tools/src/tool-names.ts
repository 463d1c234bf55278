import { closest } from "@mdx-ai/base";
import { type BuiltinTool, type ForeignTool, headOf } from "@mdx-ai/loop";
import { foldedName } from "./arguments/argument-values.ts";

/** A tool that can be called. */
export interface CallableTool {
  /** The name by which models call it. */
  readonly wire: string;
  readonly tool: BuiltinTool & Partial<ForeignTool>;
}

/**
 * The tools that a name may mean: the tool of exactly this name, or else tools whose names differ only in marks, prefixes, case
 * and separators, or that other programs call so.
 */
export function toolsMeant(name: string, tools: readonly CallableTool[]): readonly CallableTool[] {
  const exact = tools.find(({ wire }) => wire === name) ?? tools.find(({ tool }) => tool.name === name);
  if (exact !== undefined) return [exact];
  return [...new Set(formsOf(name).flatMap((form) => nearest(form, tools)))];
}

/** The tools nearest to one form of a name. */
function nearest(form: string, tools: readonly CallableTool[]): readonly CallableTool[] {
  const folded = foldedName(form);
  if (folded === "") return [];
  const tests: readonly ((tool: CallableTool) => boolean)[] = [
    ({ wire, tool }) => wire === form || tool.name === form,
    ({ wire, tool }) => foldedName(wire) === folded || foldedName(tool.name) === folded,
    ({ tool }) => otherNames(tool).some((other) => foldedName(other) === folded),
  ];
  for (const test of tests) {
    const found = tools.filter(test);
    if (found.length > 0) return found;
  }
  return [];
}

/** Other names of a tool: its names in other programs, and for a server's tool its name with and without the server's. */
function otherNames({ name, aliases = [], server }: CallableTool["tool"]): readonly string[] {
  if (server === undefined) return aliases;
  const bare = name.slice(name.indexOf(server) + server.length + 1);
  return [...aliases, `${server}.${bare}`, bare];
}

/** The forms of a name: unchanged, without marks around it, and without the prefixes and suffixes that some models add. */
function formsOf(name: string): readonly string[] {
  const bare = bareName(name);
  const plain = bare.replace(/^(?:(?:functions?|default_api|tools?|tool_use|tool_call|api|builtin)[.:/]+)+/i, "");
  const forms = [name, bare, plain, plain.replace(/^(?:functions?|default_api)_+/i, "")];
  return [...new Set(forms.flatMap((form) => [form, form.replace(/:\d+$/, "")]))];
}

/** The name within a model's template, such as `<|channel|>commentary` or `<function=…>`. */
function bareName(name: string): string {
  const named = /(?:\bto=|<function[=:]|\bname=)["']?([^\s"'<>|]+)/.exec(name)?.[1] ?? name;
  return named.replace(/^(?:[\s"'`*]|<[^<>]*>|\[[A-Z_]+\])+/, "").replace(/[\s"'`*<>()[\]{},;|].*$/s, "");
}

/** The most tools that an error lists. */
const LISTED = 30;
/** The most characters of a name that an error shows. */
const SHOWN = 100;

/** The error for a name without a tool. */
export function unknownToolText(name: string, tools: readonly CallableTool[]): string {
  const shown = /^[\w.-]{1,100}$/.test(name) ? name : JSON.stringify(headOf(name, SHOWN));
  const meant = toolsMeant(name, tools).map(({ wire }) => wire);
  if (meant.length > 1) return `there is no tool ${shown}; it may be ${meant.join(" or ")}: call one by its exact name`;
  const known = new Map(tools.flatMap(({ wire, tool }) => [wire, ...otherNames(tool)].map((one) => [one, wire])));
  const near = formsOf(headOf(name, SHOWN)).flatMap((form) => closest(form, known.keys()) ?? [])[0];
  const hint = near === undefined ? "" : ` did you mean ${known.get(near)}?`;
  const wires = tools.map(({ wire }) => wire);
  const more = wires.length > LISTED ? `, and ${wires.length - LISTED} more` : "";
  return `there is no tool ${shown};${hint} available: ${wires.slice(0, LISTED).join(", ")}${more}`;
}

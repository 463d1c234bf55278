import { aiagent, coding } from "./builtin-facts.ts";

/** What a tool does: it reads files, writes them, or runs commands. */
export type ToolEffect = "reads" | "writes" | "runs";

/** The name of a builtin tool for work in a workspace. */
export type CodingToolName = (typeof coding)[number]["name"];

/** The name of a builtin tool. */
export type BuiltinToolName = CodingToolName | (typeof aiagent)[number]["name"];

/** The names under which `builtins` selects several tools. */
export const builtinGroups: {
  readonly coding: readonly CodingToolName[];
  readonly aiagent: readonly BuiltinToolName[];
} = { coding: coding.map(({ name }) => name), aiagent: aiagent.map(({ name }) => name) };

/** All builtin tools, in the order in which a model sees them. */
export const allBuiltinToolNames: readonly BuiltinToolName[] = Object.values(builtinGroups).flat();

/** The tools of every agent, unless its settings restrict them. No other tool may take their names. */
export const builtinToolNames: readonly CodingToolName[] = coding.flatMap((facts) =>
  "isBasic" in facts ? [facts.name] : [],
);

/** The settings that say which builtin tools an agent has. */
export interface BuiltinSettings {
  readonly builtins?: readonly string[];
  readonly tools?: readonly string[];
}

/** The builtin tools that an agent offers by its settings; without `builtins` a workspace decides. In the order in which a model sees them. */
export function offeredBuiltins(
  { builtins, tools }: BuiltinSettings,
  hasWorkspace: boolean,
): readonly BuiltinToolName[] {
  const byDefault: readonly string[] = hasWorkspace ? builtinGroups.coding : builtinToolNames;
  const offered = builtins ?? byDefault;
  const isOffered = (name: string): boolean => offered.includes(name) && tools?.includes(name) !== false;
  return withoutCompanions(allBuiltinToolNames.filter(isOffered));
}

/** Whether a tool of the agent's own files replaces a builtin tool of this name. */
export const isReplaceable = (name: string): boolean =>
  coding.some((facts) => facts.name === name && !("isBasic" in facts));

/** The basic tool with an effect: rules that name it are about every access of that kind, whichever tool makes it. */
export const basicTool: Readonly<Record<ToolEffect, CodingToolName>> = {
  reads: basicOf("reads"),
  writes: basicOf("writes"),
  runs: basicOf("runs"),
};

function basicOf(effect: ToolEffect): CodingToolName {
  const [found] = builtinsThat(effect);
  if (found === undefined) throw new Error(`no builtin tool ${effect}`);
  return found;
}

/** The tools for a workspace with an effect; the basic one comes first. */
export function builtinsThat(effect: ToolEffect): readonly CodingToolName[] {
  return coding.flatMap((facts) => ("effects" in facts && facts.effects === effect ? [facts.name] : []));
}

/** These tools without the ones that are of no use without another tool that is not among them. */
export const withoutCompanions = <Name extends string>(names: readonly Name[]): readonly Name[] =>
  names.filter((name) => {
    const facts = coding.find((one) => one.name === name);
    return facts === undefined || !("companionOf" in facts) || names.some((other) => other === facts.companionOf);
  });

/** The builtin tool that other programs call so, in any case. */
export const builtinCalled = (name: string): CodingToolName | undefined =>
  coding.find(({ counterparts }) => counterparts.some((other) => other === name.toLowerCase()))?.name;

/** The builtin tools that do the work of another program's tool without a counterpart, in any case; the basic ones come first. */
export const builtinsReplacing = (name: string): readonly CodingToolName[] =>
  coding.flatMap((facts) =>
    "replaces" in facts && facts.replaces.some((other) => other === name.toLowerCase()) ? [facts.name] : [],
  );

/** The usual name of a builtin tool in other programs. */
export const counterpartOf = (tool: CodingToolName): string =>
  coding.find(({ name }) => name === tool)?.counterparts[0] ?? tool;

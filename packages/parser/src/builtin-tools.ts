/** The tools of every agent, unless its settings restrict them. No other tool may take their names. */
export const builtinToolNames = ["bash", "read_file", "write_file"] as const;

/** Tools for work in a workspace. A tool of the agent's own files replaces the one of its name. */
const workspaceToolNames = ["edit_file", "grep", "glob", "list_files"] as const;

/** The names under which `builtins` selects several tools. */
export const builtinGroups = {
  coding: ["bash", "read_file", "write_file", "edit_file", "grep", "glob", "list_files"],
  aiagent: ["fs.list", "fs.read", "fs.write", "shell.exec"],
} as const;

/** The name of a builtin tool. */
export type BuiltinToolName = (typeof builtinGroups)[keyof typeof builtinGroups][number];

/** All builtin tools, in the order in which a model sees them. */
export const allBuiltinToolNames: readonly BuiltinToolName[] = Object.values(builtinGroups).flat();

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
  return allBuiltinToolNames.filter((name) => offered.includes(name) && tools?.includes(name) !== false);
}

/** Whether a tool of the agent's own files takes the place of a builtin tool of this name. */
export const isReplaceable = (name: string): boolean => workspaceToolNames.some((known) => known === name);

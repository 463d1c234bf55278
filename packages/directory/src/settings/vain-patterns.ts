import { type AgentDefinition, permissionPattern } from "@mdx-ai/parser";
import { didYouMean } from "../text/did-you-mean.ts";
import type { PermissionFlags } from "./permission-flags.ts";

const BUILTIN = ["bash", "read_file", "write_file"];

/**
 * A line for each `--allow` and `--deny` that names a tool which the agent does not have: nobody should rely on a misspelled
 * denial. None if modules may add tools whose names are not known yet.
 */
export async function vainPatterns(
  { allow, deny }: Pick<PermissionFlags, "allow" | "deny">,
  { tools, modules }: Pick<AgentDefinition, "tools" | "modules">,
): Promise<readonly string[]> {
  if (modules.length > 0 || allow.length + deny.length === 0) return [];
  const names = [...BUILTIN, ...tools.map(({ name }) => name)];
  const flags = [
    ...allow.map((pattern) => ({ flag: "--allow", pattern })),
    ...deny.map((pattern) => ({ flag: "--deny", pattern })),
  ];
  const lines: string[] = [];
  for (const { flag, pattern } of flags) {
    const name = permissionPattern(pattern)?.tool ?? "";
    if (/[*?\\]/.test(name) || names.includes(name)) continue;
    const hint = (await didYouMean(name, names)) ?? `its tools are ${names.join(", ")}`;
    lines.push(`${flag} ${pattern} names no tool of this agent; ${hint}`);
  }
  return lines;
}

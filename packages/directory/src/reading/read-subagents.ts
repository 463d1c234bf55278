import { resolve } from "node:path";
import { lineText, shellWord } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import {
  type AgentDirectory,
  byFileAndPosition,
  type Diagnostic,
  quoted,
  type SubagentDefinition,
} from "@mdx-ai/parser";
import { agentFile, agentFolder, isAgentFile } from "../paths.ts";

type Place = Parameters<typeof agentFolder>[1];

/** The path of an agent's directory, or of its file, with links resolved: the same for each `src` that leads there. */
export function subagentPath(
  { path }: Pick<AgentDirectory, "path">,
  { src }: SubagentDefinition,
  place: Place,
): string {
  const named = resolve(path, src);
  return isAgentFile(named, place) ? agentFile(named, place) : realPathOrSame(agentFolder(named, place));
}

/**
 * Reads the agents that work for a directory, and those that work for them, each once. An agent that cannot run is a mistake at its
 * declaration. Never rejects.
 */
export async function withSubagents(
  root: AgentDirectory,
  place: Place,
  read: (path: string) => Promise<AgentDirectory>,
): Promise<AgentDirectory> {
  const found = new Map<string, AgentDirectory>();
  const visited = new Set([root.realPath]);
  const visit = async (directory: AgentDirectory): Promise<readonly Diagnostic[]> => {
    const problems: Diagnostic[] = [];
    for (const agent of directory.definition.agents ?? []) {
      const path = subagentPath(directory, agent, place);
      if (visited.has(path)) continue;
      visited.add(path);
      const inner = await read(path).catch((error: unknown) => lineText(error));
      const reason = typeof inner === "string" ? inner : whyBroken(inner);
      if (reason !== undefined) problems.push(problemOf(agent, reason, path));
      if (typeof inner === "string") continue;
      found.set(path, inner);
      if ((await visit(inner)).length > 0) problems.push(problemOf(agent, "one of its agents cannot run", path));
    }
    return problems;
  };
  const problems = await visit(root);
  const diagnostics = [...root.diagnostics, ...problems].toSorted(byFileAndPosition);
  return { ...root, subagents: found, diagnostics };
}

function whyBroken({ diagnostics }: AgentDirectory): string | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined) return undefined;
  return errors.length === 1 ? first.message : `it has ${errors.length} errors`;
}

const problemOf = ({ name, file, position }: SubagentDefinition, reason: string, path: string): Diagnostic => ({
  ...{ file, ...position, severity: "error", rule: "agent-source" },
  message: `the agent ${quoted(name)} cannot run: ${reason}`,
  hint: `see mdx-ai check ${shellWord(path)}`,
});

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
  const tree = new Tree(root, place, read);
  const problems = await tree.problemsOf(root);
  const diagnostics = [...root.diagnostics, ...problems].toSorted(byFileAndPosition);
  return { ...root, subagents: tree.found, diagnostics };
}

class Tree {
  readonly found = new Map<string, AgentDirectory>();
  readonly #visited: Set<string>;
  readonly #place: Place;
  readonly #read: (path: string) => Promise<AgentDirectory>;

  constructor(root: AgentDirectory, place: Place, read: (path: string) => Promise<AgentDirectory>) {
    this.#visited = new Set([root.realPath]);
    this.#place = place;
    this.#read = read;
  }

  /** Reads the agents of a directory that were not read yet. Never rejects. */
  async problemsOf(directory: AgentDirectory): Promise<readonly Diagnostic[]> {
    const problems: Diagnostic[] = [];
    for (const agent of directory.definition.agents ?? []) {
      const path = subagentPath(directory, agent, this.#place);
      if (this.#visited.has(path)) continue;
      this.#visited.add(path);
      const reason = await this.#problemOf(path);
      if (reason !== undefined) problems.push(diagnosticOf(agent, reason, path));
    }
    return problems;
  }

  async #problemOf(path: string): Promise<string | undefined> {
    try {
      const agent = await this.#read(path);
      this.found.set(path, agent);
      const inner = await this.problemsOf(agent);
      return whyBroken(agent) ?? inner[0]?.message;
    } catch (error) {
      return lineText(error);
    }
  }
}

function whyBroken({ diagnostics }: AgentDirectory): string | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined) return undefined;
  return errors.length === 1 ? first.message : `it has ${errors.length} errors`;
}

const diagnosticOf = ({ name, file, position }: SubagentDefinition, reason: string, path: string): Diagnostic => ({
  ...{ file, ...position, severity: "error", rule: "agent-source" },
  message: `the agent ${quoted(name)} cannot run: ${reason}`,
  hint: `see mdx-ai check ${shellWord(path)}`,
});

import { dirname } from "node:path";
import { isWithin, sha256 } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import type { AgentTool, NamedTool, ToolOrigin, ToolSource } from "@mdx-ai/loop";
import type { SkillDefinition, SkillToolDefinition } from "@mdx-ai/parser";
import { type EntrypointOptions, SkillTools, skillFile } from "@mdx-ai/tools";
import type { OpenOptions, SkillSources } from "./loaded-agent.ts";
import { isOffered, toolsFolder } from "./prompt-settings.ts";

/** What an agent's skills share with its other tools. */
export interface SkillSourcesParts extends Pick<EntrypointOptions, "environment" | "sandbox"> {
  /** Replaces a tool. */
  readonly change: (tool: AgentTool) => AgentTool;
}

/** The tools of the skills of an agent. Starts nothing. */
export function openSkills(options: OpenOptions, { environment, sandbox, change }: SkillSourcesParts): SkillSources {
  const { cwd, toolNetwork, trusted, directory } = options;
  const { skills, settings } = directory.definition;
  const network = { toolNetwork, network: options.sandbox?.network };
  const workingDirectory = toolsFolder(options);
  return skillSources({
    skills,
    options: { agentDir: directory.path, workingDirectory, cwd, environment, sandbox, ...network },
    hashes: trusted?.imports?.hashes,
    isOffered: (name) => isOffered(name, settings),
    change,
  });
}

interface SkillSourcesOptions {
  readonly skills: readonly SkillDefinition[];
  readonly options: EntrypointOptions;
  /** SHA-256 of the files that trust covers, by real paths. */
  readonly hashes?: ReadonlyMap<string, string> | undefined;
  /** Whether the author's settings include a tool. */
  readonly isOffered: (name: string) => boolean;
  /** Replaces a tool. */
  readonly change: (tool: AgentTool) => AgentTool;
}

/** One source for each skill with tools. Starts nothing. */
function skillSources({ skills, hashes, isOffered, change, options }: SkillSourcesOptions): SkillSources {
  const made = new SkillTools(options);
  const sources = skills.flatMap((skill): readonly ToolSource[] => {
    const tools = made
      .of(skill)
      .filter(({ name }) => isOffered(name))
      .map(change);
    return tools.length === 0 ? [] : [{ origin: originOf(skill), skill: skill.name, tools: () => tools }];
  });
  const owned = skills.flatMap((skill) => (skill.tools ?? []).map((tool) => ({ skill, tool })));
  const partsNamed = ({ name, origin }: NamedTool): readonly OwnedTool[] =>
    owned.filter(({ skill, tool }) => tool.name === name && originOf(skill) === origin);
  const hashOf = (tool: NamedTool): string | undefined => {
    const found = partsNamed(tool);
    if (found.length === 0) return undefined;
    return sha256(JSON.stringify(found.map((one) => partsOf(one, options.agentDir, hashes))));
  };
  return {
    sources,
    hashOf,
    close: () => made.close(),
    containmentOf: (named) => {
      const found = partsNamed(named).map(({ tool }) => made.containmentOf(tool));
      if (found.length === 0 || found.includes(undefined)) return undefined;
      return found.includes("sandbox") ? "sandbox" : "container";
    },
  };
}

const originOf = ({ name }: SkillDefinition): ToolOrigin => `skill:${name}`;

interface OwnedTool {
  readonly skill: SkillDefinition;
  readonly tool: SkillToolDefinition;
}

/** The files that a call runs: its entrypoint and the programs of the skill. */
function partsOf({ skill, tool }: OwnedTool, agentDir: string, hashes: ReadonlyMap<string, string> = new Map()) {
  const folder = realPathOrSame(dirname(skillFile(skill, agentDir)));
  const files = [...hashes].filter(([path]) => isWithin(folder, path)).map(([path, hash]) => [path, hash]);
  return [tool.entrypoint, tool.schema, files.toSorted()];
}

import type { SkillDefinition } from "@mdx-ai/parser";
import type { ReadDirectory } from "../trust/trusted-directory.ts";
import type { RepositoryParts } from "./repository-parts.ts";

/** A run and its agent with what a repository holds. Skills and servers of the agent and its user go before those of the same name. */
export function joinRepository<Options extends { readonly repositoryServers?: string }>(
  { options, directory }: { readonly options: Options; readonly directory: ReadDirectory },
  { skills, mcp }: RepositoryParts,
): { readonly options: Options; readonly directory: ReadDirectory } {
  return {
    options: { ...options, ...(mcp !== undefined && { repositoryServers: mcp.file }) },
    directory: withSkills(directory, skills),
  };
}

/** An agent with more skills. */
export function withSkills<Directory extends Pick<ReadDirectory, "definition">>(
  directory: Directory,
  more: readonly SkillDefinition[] = [],
): Directory {
  const { definition } = directory;
  const taken = new Set(definition.skills.map(({ name }) => name));
  const added = more.filter(({ name }) => !taken.has(name));
  if (added.length === 0) return directory;
  return { ...directory, definition: { ...definition, skills: [...definition.skills, ...added] } };
}

import { readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { attempt, type Environment, foldersFrom, isWithin, lineText, sha256 } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { readSkillFolders, type SkillDefinition } from "@mdx-ai/parser";
import { readMarkdownFile } from "@mdx-ai/parser/frontmatter";
import { openRepository } from "@mdx-ai/sandbox";
import type { FrontEnd } from "../front-end.ts";
import { FOLDERS_OF_PROGRAMS } from "../importing/program-folders.ts";
import { firstLine, kebabCase, markdownFiles, readBytes, stemOf, textField } from "../importing/source-file.ts";
import { ALLOWED, type Entry } from "../manifest/manifest.ts";
import { serverEntries } from "../manifest/server-entries.ts";
import { isFile, isFolder } from "../paths.ts";
import { definitionCache } from "../reading/read-directory.ts";
import { MCP_FILE, readMcpFile } from "../settings/mcp-config.ts";

/** What a repository holds for agents of any program. */
export interface RepositoryParts {
  /** The repository, or the workspace outside of one. An absolute real path. */
  readonly root: string;
  /** Its skills, without tools of their own, its commands, and its agents as commands with the prefix `agent:`. */
  readonly skills: readonly SkillDefinition[];
  readonly mcp?: RepositoryServers;
  /** All of it with hashes, to which the user agrees. */
  readonly entries: readonly Entry[];
}

/** The valid MCP servers of a repository. */
interface RepositoryServers {
  /** Absolute, links resolved. */
  readonly file: string;
  /** What each server runs, and how; not empty. */
  readonly entries: readonly Entry[];
}

/** The most skills, commands or agents that are read, and the most bytes of each. */
const MAX_FILES = 500;
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the skills, commands, agents and MCP servers in the folders of other programs, from the workspace up to the root of its
 * repository; the nearest of a name counts. Runs nothing. Undefined if there are none. Never rejects: what cannot be read or is
 * too large, and what a link leads to outside of the repository, is left out.
 */
export async function readRepositoryParts(
  workspace: string,
  { environment }: Pick<FrontEnd, "environment">,
): Promise<RepositoryParts | undefined> {
  const real = realPathOrSame(workspace);
  const root = openRepository(real, { environment })?.root ?? real;
  const folders = foldersFrom(real).filter((folder) => isWithin(root, folder));
  const kept = folders.flatMap((folder) =>
    FOLDERS_OF_PROGRAMS.map((kind) => ({ kind, path: join(folder, kind.name) })),
  );
  const within = (part: "agents" | "commands" | "skills"): readonly string[] =>
    kept
      .flatMap(({ kind, path }) => kind[part].map((name) => join(path, name)))
      .filter((path) => isFolder(path) && isWithin(root, realPathOrSame(path)));
  const files = (part: "agents" | "commands"): readonly string[] =>
    within(part)
      .flatMap((path) => attempt(() => markdownFiles(path)) ?? [])
      .slice(0, MAX_FILES)
      .filter((path) => (attempt(() => statSync(path).size) ?? 0) <= MAX_BYTES);
  const skills = await skillsIn(within("skills"), root, environment);
  const commands = [
    ...files("commands").flatMap((path) => commandOf(path, "command")),
    ...files("agents").flatMap((path) => commandOf(path, "agent")),
  ];
  const mcp = await nearestServers(folders, root);
  const named = firstOfName([...skills, ...commands]);
  const entries = [
    ...named.map((skill) => entryOf(skill.isCommand === true ? "command" : "skill", skill, root)),
    ...(mcp?.entries ?? []),
  ];
  if (entries.length === 0) return undefined;
  return { root, skills: named, ...(mcp !== undefined && { mcp }), entries };
}

/** Tools and servers of a skill are left out: they would run without a question. */
async function skillsIn(
  skillFolders: readonly string[],
  root: string,
  environment: Environment,
): Promise<readonly SkillDefinition[]> {
  if (skillFolders.length === 0) return [];
  const options = { directory: root, most: MAX_FILES, ...definitionCache(root, environment) };
  const skills = await readSkillFolders(skillFolders, options);
  return skills
    .map(({ tools: _tools, mcpServer: _server, ...skill }) => ({ ...skill, path: resolve(root, skill.path) }))
    .filter(({ path }) => isWithin(root, realPathOrSame(path)));
}

/** A file whose text is sent with what follows its name: a command, or the prompt of an agent. */
function commandOf(path: string, kind: "command" | "agent"): readonly SkillDefinition[] {
  const source = attempt(() => readMarkdownFile(readBytes(path)));
  if (source === undefined) return [];
  const description = textField(source, "description") ?? firstLine(source.body) ?? `The ${kind} ${stemOf(path)}`;
  const name =
    kind === "command"
      ? kebabCase(stemOf(path), kind)
      : `agent:${kebabCase(textField(source, "name") ?? stemOf(path), kind)}`;
  return [{ name, description: lineText(description), path, disableModelInvocation: true, isCommand: true }];
}

async function nearestServers(folders: readonly string[], root: string): Promise<RepositoryServers | undefined> {
  for (const folder of folders) {
    const file = realPathOrSame(join(folder, MCP_FILE));
    if (!isWithin(root, file) || !isFile(file)) continue;
    const { servers } = await readMcpFile(file).catch(() => ({ servers: [] }));
    const entries = servers.flatMap((server) => serverEntries({ ...server, written: server.definition }));
    if (entries.length > 0) return { file, entries };
  }
  return undefined;
}

const firstOfName = <Part extends { readonly name: string }>(parts: readonly Part[]): readonly Part[] =>
  parts.filter(({ name }, index) => parts.findIndex((part) => part.name === name) === index);

const entryOf = (
  kind: string,
  { name, path }: { readonly name: string; readonly path: string },
  root: string,
): Entry => ({
  ...{ kind, item: `${name} (${relative(root, path)})`, ...ALLOWED },
  // Changes with the content of the file.
  value: sha256(attempt(() => readFileSync(path)) ?? ""),
});

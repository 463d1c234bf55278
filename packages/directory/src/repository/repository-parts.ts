import { readFileSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { attempt, foldersFrom, isWithin, lineText, sha256 } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { type AgentFiles, parseAgentFiles, type SkillDefinition } from "@mdx-ai/parser";
import { openRepository } from "@mdx-ai/sandbox";
import type { FrontEnd } from "../front-end.ts";
import { FOLDERS_OF_PROGRAMS, type ProgramFolder } from "../importing/program-folders.ts";
import { firstLine, kebabCase, markdownFiles, readSource, stemOf, textField } from "../importing/source-file.ts";
import { ALLOWED, type Entry } from "../manifest/manifest.ts";
import { isFile } from "../paths.ts";
import { MCP_FILE, offeredMcpServers } from "../settings/mcp-config.ts";

/** What a repository holds for agents of any program. */
export interface RepositoryParts {
  /** The repository, or the workspace outside of one. An absolute real path. */
  readonly root: string;
  /** Its skills, without tools of their own, and its commands. */
  readonly skills: readonly SkillDefinition[];
  readonly agents: readonly RepositoryAgent[];
  /** The file with its MCP servers, absolute, and their names. */
  readonly mcp?: { readonly file: string; readonly servers: readonly string[] };
  /** All of it with hashes, to which the user agrees. */
  readonly entries: readonly Entry[];
}

/** An agent file of another program. */
interface RepositoryAgent {
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly path: string;
}

/** The most files that are read. */
const MAX_FILES = 500;

/**
 * Reads the skills, commands, agents and MCP servers in the folders of other programs, from the workspace up to the root of its
 * repository; the nearest of a name counts. Runs nothing. Undefined if there are none. Never rejects: what cannot be read is
 * left out.
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
  const files = (part: "agents" | "commands"): readonly string[] =>
    kept
      .flatMap(({ kind, path }) => kind[part].flatMap((name) => attempt(() => markdownFiles(join(path, name))) ?? []))
      .filter((path) => isWithin(root, realPathOrSame(path)))
      .slice(0, MAX_FILES);
  const skills = await skillsIn(kept, root);
  const commands = files("commands").flatMap(commandOf);
  const agents = files("agents").flatMap(agentOf);
  const mcp = folders.map((folder) => serversIn(folder)).find((found) => found !== undefined);
  const named = firstOfName([...skills, ...commands]);
  const entries = [
    ...named.map((skill) => entryOf(skill.isCommand === true ? "command" : "skill", skill, root)),
    ...firstOfName(agents).map((agent) => entryOf("agent", agent, root)),
    ...(mcp === undefined ? [] : [fileEntry("MCP servers", relative(root, mcp.file), mcp.file)]),
  ];
  if (entries.length === 0) return undefined;
  return { root, skills: named, agents: firstOfName(agents), ...(mcp !== undefined && { mcp }), entries };
}

interface FoundFolder {
  readonly kind: ProgramFolder;
  /** Absolute. */
  readonly path: string;
}

/** An agent without anything but skills. */
const NOTHING: AgentFiles = {
  agent: { path: "agent.mdx", text: "## Purpose\n\nx\n" },
  skills: [],
  modules: [],
  folders: [],
};

/** Tools and servers of a skill are left out: they would run without a question. */
async function skillsIn(kept: readonly FoundFolder[], root: string): Promise<readonly SkillDefinition[]> {
  const skillFolders = kept.flatMap(({ kind, path }) => kind.skills.map((name) => join(path, name)));
  const { definition } = await parseAgentFiles(NOTHING, root, { skillFolders });
  return definition.skills
    .map(({ tools: _tools, mcpServer: _server, ...skill }) => ({ ...skill, path: resolve(root, skill.path) }))
    .filter(({ path }) => isWithin(root, realPathOrSame(path)))
    .slice(0, MAX_FILES);
}

function commandOf(path: string): readonly SkillDefinition[] {
  const source = attempt(() => readSource(path));
  if (source === undefined) return [];
  const description = textField(source, "description") ?? firstLine(source.body) ?? `The command ${stemOf(path)}`;
  const name = kebabCase(stemOf(path), "command");
  return [{ name, description: lineText(description), path, disableModelInvocation: true, isCommand: true }];
}

function agentOf(path: string): readonly RepositoryAgent[] {
  const source = attempt(() => readSource(path));
  if (source === undefined) return [];
  const description = textField(source, "description") ?? firstLine(source.body) ?? "";
  return [{ name: lineText(textField(source, "name") ?? stemOf(path)), description: lineText(description), path }];
}

function serversIn(folder: string): RepositoryParts["mcp"] {
  const file = join(folder, MCP_FILE);
  const servers = isFile(file) ? offeredMcpServers(folder) : [];
  return servers.length === 0 ? undefined : { file: realpathSync.native(file), servers };
}

const firstOfName = <Part extends { readonly name: string }>(parts: readonly Part[]): readonly Part[] =>
  parts.filter(({ name }, index) => parts.findIndex((part) => part.name === name) === index);

const entryOf = (kind: string, { name, path }: { readonly name: string; readonly path: string }, root: string): Entry =>
  fileEntry(kind, `${name} (${relative(root, path)})`, path);

/** Changes with the content of the file. */
const fileEntry = (kind: string, item: string, path: string): Entry => ({
  ...{ kind, item, ...ALLOWED },
  value: sha256(attempt(() => readFileSync(path)) ?? ""),
});

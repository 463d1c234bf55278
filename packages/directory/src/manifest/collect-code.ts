import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { attempt, isWithin } from "@mdx-ai/base";
import type { AgentDefinition, AgentDirectory, ToolDefinition } from "@mdx-ai/parser";
import { serversOfDirectory, type WrittenServer } from "@mdx-ai/runtime/declared-servers";
import { ImportGraph, isExecutable } from "../imports/import-graph.ts";
import { shellCommands } from "./hook-code.ts";
import { CONFIGURATION, modelPackages } from "./manifest.ts";
import { codeOfServer, type RunCommand } from "./server-code.ts";
import { SourceBudget, startOf } from "./source-budget.ts";

/** The code of a directory. */
export interface CollectedCode {
  readonly root: string;
  readonly directory: AgentDirectory;
  /** Every file that executes or decides what executes. */
  readonly graph: ImportGraph;
  /** The names of the inline tools whose code imports anything outside Bun. */
  readonly importingTools: readonly string[];
  /** Its MCP servers, and the server of its memory. */
  readonly servers: readonly WrittenServer[];
  /** The folders in which every program counts. Absolute. */
  readonly serverFolders: readonly string[];
}

/** Finds everything that a directory can execute. Rejects with `DirectoryError` ("too_large"). */
export function collectCode(directory: AgentDirectory): CollectedCode {
  const { realPath: root, path, definition } = directory;
  const servers = allServers(directory);
  const packages = modelPackages(definition.settings);
  const budget = new SourceBudget();
  const graph = new ImportGraph({ read: (path) => budget.read(path), root });
  const importing = definition.tools.filter((tool) => addTool(tool, path, graph));
  const file = join(path, "agent.mdx");
  if (definition.program !== undefined) graph.addCode(definition.program, file);
  for (const code of heartbeatCodes(definition)) graph.addCode(code, join(path, "heartbeat.md"));
  for (const name of packages) graph.addCode(`import ${JSON.stringify(name)};`, file);
  addFolders(directory, graph, budget);
  const runsCommands = definition.settings.hooks !== undefined || definition.heartbeat !== undefined;
  const commands = runsCommands ? shellCommands(directory) : [];
  const serverFolders = addServers([...servers, ...commands], { directory, graph, budget });
  return { root, directory, graph, importingTools: importing.map(({ name }) => name), servers, serverFolders };
}

/** The blocks of code of heartbeat.md. */
function heartbeatCodes({ heartbeat }: AgentDefinition): readonly string[] {
  const all = [heartbeat?.directives, ...(heartbeat?.routines ?? []).map(({ directives }) => directives)];
  return all.flatMap((one) => [one?.gate, one?.done]).flatMap((code) => (code?.type === "block" ? code.code.text : []));
}

/** Returns whether the code of the tool imports any file. */
function addTool({ code }: ToolDefinition, directory: string, graph: ImportGraph): boolean {
  const isImporting = graph.addCode(code.text, resolve(directory, code.file ?? "agent.mdx"));
  if (code.file !== undefined) graph.addFile(resolve(directory, code.file));
  return isImporting;
}

function addFolders({ path, definition }: AgentDirectory, graph: ImportGraph, budget: SourceBudget): void {
  const names = attempt(() => readdirSync(path)) ?? [];
  for (const module of definition.modules) graph.addFile(join(path, module));
  for (const name of CONFIGURATION) if (names.includes(name)) graph.addContent(join(path, name));
  const below = (folder: string): readonly string[] =>
    names.includes(folder) ? filesBelow(join(path, folder), budget) : [];
  for (const file of below("modules")) graph.addFile(file);
  for (const file of below("tools")) graph.addFile(file);
  const skills = join(path, "skills");
  for (const file of below("skills")) if (isScript(relativePath(skills, file), file)) graph.addFile(file);
  for (const skill of definition.skills) addOtherSkill(resolve(path, skill.path), { skills, graph, budget });
}

interface SkillContext {
  /** The agent's `skills/` folder. Absolute. */
  readonly skills: string;
  readonly graph: ImportGraph;
  readonly budget: SourceBudget;
}

/** A skill outside `skills/`: its file, which a review of the directory would miss, and its scripts. */
function addOtherSkill(file: string, { skills, graph, budget }: SkillContext): void {
  if (isWithin(skills, file)) return;
  const folder = dirname(file);
  graph.addContent(file);
  for (const other of filesBelow(folder, budget))
    if (isScript(relativePath(dirname(folder), other), other)) graph.addFile(other);
}

interface ServerCode {
  readonly directory: AgentDirectory;
  readonly graph: ImportGraph;
  readonly budget: SourceBudget;
}

/** Returns the folders in which every program counts. Absolute. */
function addServers(servers: readonly RunCommand[], { directory, graph, budget }: ServerCode): readonly string[] {
  const code = servers.map((server) => codeOfServer(server, directory.path, isProgram));
  for (const file of code.flatMap(({ files }) => files)) graph.addFile(file);
  const folders = [...new Set(code.flatMap((each) => each.folders))];
  for (const file of folders.flatMap((folder) => filesBelow(folder, budget))) {
    if (isExecutable(file) || isProgram(file)) graph.addFile(file);
  }
  return folders;
}

/** The servers of a directory, including its memory server. */
function allServers(directory: AgentDirectory): readonly WrittenServer[] {
  const { memory } = directory.definition.settings;
  const store = typeof memory === "object" ? memory.store : undefined;
  const servers = serversOfDirectory(directory);
  if (typeof store !== "object") return servers;
  const declared = { written: store, definition: store, baseDir: directory.path, declaredBy: "agent.mdx" };
  return [...servers, { name: MEMORY_SERVER, ...declared }];
}

/** Not a valid name for any other server. */
const MEMORY_SERVER = "memory store";

/**
 * Whether a model or a tool may run a file of a skill: everything in `scripts/`, and elsewhere each file whose name or content makes it a
 * program or a description of a tool's requests.
 */
const isScript = (path: string, file: string): boolean =>
  path.split("/")[1] === "scripts" || isExecutable(path) || path.toLowerCase().endsWith(".proto") || isProgram(file);

/** The first bytes of a script with an interpreter, and of native programs for Linux and macOS. */
const PROGRAM = /^(?:#!|\x7fELF|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf])/;

/** Whether a file is executable or begins like a program. A link that leads to itself is none. */
function isProgram(file: string): boolean {
  const stats = attempt(() => statSync(file));
  return stats?.isFile() === true && ((stats.mode & 0o111) !== 0 || PROGRAM.test(startOf(file, 4)));
}

/** A path as seen from a folder, separated by "/". */
export const relativePath = (folder: string, path: string): string => relative(folder, path).split(sep).join("/");

/**
 * All files below a folder except installed packages, as absolute paths. Links to folders are followed once. Empty if there
 * is no such folder. Throws `DirectoryError` ("too_large").
 */
export function filesBelow(folder: string, budget: SourceBudget): readonly string[] {
  const files: string[] = [];
  const linked = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of list(next) ?? []) {
      const path = join(next, entry.name);
      budget.look(path);
      if (entry.name === "node_modules") continue;
      if (entry.isDirectory() || (entry.isSymbolicLink() && isNewFolder(path, linked))) waiting.push(path);
      else files.push(path);
    }
  }
  return files;
}

const list = (folder: string): readonly Dirent[] | undefined =>
  attempt(() => readdirSync(folder, { withFileTypes: true }));

/** Whether a link leads to a new folder: only links can form a cycle. */
function isNewFolder(link: string, linked: Set<string>): boolean {
  if (list(link) === undefined) return false;
  const real = realpathSync.native(link);
  const isNew = !linked.has(real);
  linked.add(real);
  return isNew;
}

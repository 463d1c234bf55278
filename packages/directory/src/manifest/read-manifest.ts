import { realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type AgentDefinition, type AgentDirectory, parametersSchema, type ToolDefinition } from "@mdx-ai/parser";
import { sha256, sortedJson } from "@mdx-ai/parser/fingerprint";
import { isWithin } from "@mdx-ai/parser/is-within";
import { serversOfDirectory, type WrittenServer } from "@mdx-ai/runtime/declared-servers";
import { realPlaceOrSame } from "@mdx-ai/runtime/files";
import { ImportGraph, isExecutable, packageOf } from "@mdx-ai/runtime/imports";
import { readSettled } from "@mdx-ai/runtime/settled";

import { namesIn } from "../disk.ts";
import { installedPackages } from "./installed-packages.ts";
import {
  CONFIGURATION,
  fileKind,
  isInside,
  type Manifest,
  type ManifestFile,
  type ManifestSettings,
  type ManifestTool,
  modelPackages,
  skillToolsOf,
} from "./manifest.ts";
import { manifestServer } from "./manifest-server.ts";
import { codeOfServer } from "./server-code.ts";
import { filesBelow, SourceBudget, startOf } from "./source-budget.ts";

/**
 * Finds everything that a directory can execute. For agent.mdx this is what was parsed, not the current file; every other
 * file is read once. Nothing that a command creates meanwhile counts; `onMoved` receives a line about moved files. Runs
 * no code. Rejects with `DirectoryError` ("too_large") beyond 20,000 files or 200 megabytes, or as `readSettled` does.
 */
export async function readManifest(
  directory: AgentDirectory,
  onMoved: (line: string) => void = () => {},
): Promise<Manifest> {
  const found = await readSettled({
    agentDir: directory.path,
    read: async () => findings(directory),
    // By the names as written, since they may be links.
    paths: ({ root, graph }) => [...graph.paths].flatMap((path) => inside(root, directory.path, path) ?? []),
    onMoved,
  });
  return manifestOf(found);
}

function findings(directory: AgentDirectory): Findings {
  const root = realpathSync.native(directory.path);
  const budget = new SourceBudget();
  const graph = new ImportGraph({ read: (path) => budget.read(path), root });
  const tools = directory.definition.tools.map((tool) => manifestTool(tool, directory.path, graph));
  const { program } = directory.definition;
  const file = join(directory.path, "agent.mdx");
  if (program !== undefined) graph.addCode(program, file);
  for (const name of modelPackages(directory.definition.settings))
    graph.addCode(`import ${JSON.stringify(name)};`, file);
  addFolders(directory, graph, budget);
  const serverFolders = addServers(directory, graph, budget);
  return { root, directory, graph, tools, serverFolders };
}

function manifestTool(tool: ToolDefinition, directory: string, graph: ImportGraph): ManifestTool {
  const { name, description, environment, network, files, permission, idempotent, timeout, code } = tool;
  const isImporting = graph.addCode(code.text, resolve(directory, code.file ?? "agent.mdx"));
  if (code.file !== undefined) graph.addFile(resolve(directory, code.file));
  return {
    ...{ name, description, environment, schema: parametersSchema(tool), code: sha256(code.text), isImporting },
    ...(code.file !== undefined && { source: code.file }),
    ...(network !== undefined && { network }),
    ...(files !== undefined && { files }),
    ...(permission !== undefined && { permission }),
    ...(idempotent !== undefined && { idempotent }),
    ...(timeout !== undefined && { timeout }),
  };
}

function addFolders({ path, definition }: AgentDirectory, graph: ImportGraph, budget: SourceBudget): void {
  const names = namesIn(path);
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

interface SkillSurroundings {
  /** The agent's own folder of skills. Absolute. */
  readonly skills: string;
  readonly graph: ImportGraph;
  readonly budget: SourceBudget;
}

/** A skill that is not in `skills/`: its file, which nobody saw who looked at the directory, and its scripts. */
function addOtherSkill(file: string, { skills, graph, budget }: SkillSurroundings): void {
  if (isWithin(skills, file)) return;
  const folder = dirname(file);
  graph.addContent(file);
  for (const other of filesBelow(folder, budget))
    if (isScript(relativePath(dirname(folder), other), other)) graph.addFile(other);
}

/** Returns the folders whose programs count as a whole. Absolute. */
function addServers(directory: AgentDirectory, graph: ImportGraph, budget: SourceBudget): readonly string[] {
  const code = allServers(directory).map((server) => codeOfServer(server, directory.path, isProgram));
  for (const file of code.flatMap(({ files }) => files)) graph.addFile(file);
  const folders = [...new Set(code.flatMap((each) => each.folders))];
  for (const file of folders.flatMap((folder) => filesBelow(folder, budget))) {
    if (isExecutable(file) || isProgram(file)) graph.addFile(file);
  }
  return folders;
}

/** The servers of a directory, and that of its memory. */
function allServers(directory: AgentDirectory): readonly WrittenServer[] {
  const { memory } = directory.definition.settings;
  const store = typeof memory === "object" ? memory.store : undefined;
  const servers = serversOfDirectory(directory);
  if (typeof store !== "object") return servers;
  const declared = { written: store, definition: store, baseDir: directory.path, declaredBy: "agent.mdx" };
  return [...servers, { name: MEMORY_SERVER, ...declared }];
}

/** No other server can have this name. */
const MEMORY_SERVER = "memory store";

/**
 * Whether a model or a tool may run a file of a skill: everything in `scripts/`, and elsewhere what its name or content says is a
 * program, or describes what a tool sends.
 */
const isScript = (path: string, file: string): boolean =>
  path.split("/")[1] === "scripts" || isExecutable(path) || path.toLowerCase().endsWith(".proto") || isProgram(file);

/** The first bytes of a script with an interpreter, of a native program for Linux and of those for macOS. */
const PROGRAM = /^(?:#!|\x7fELF|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf])/;

/** Whether a file is marked as a program, or begins like one. */
function isProgram(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && ((stats.mode & 0o111) !== 0 || PROGRAM.test(startOf(file, 4)));
}

interface Findings {
  readonly root: string;
  readonly directory: AgentDirectory;
  readonly graph: ImportGraph;
  readonly tools: readonly ManifestTool[];
  /** Absolute. */
  readonly serverFolders: readonly string[];
}

function manifestOf({ root, directory, graph, tools, serverFolders }: Findings): Manifest {
  const { program, skills, settings } = directory.definition;
  const packages = installedPackages(graph);
  const own = graph.files.filter(({ path }) => packageOf(path) === undefined);
  return {
    tools,
    ...(program !== undefined && { program: sha256(withoutMap(program)) }),
    files: own.map(({ path, hash }) => manifestFile(relativePath(root, path), hash, tools)).sort(byPath),
    hashes: new Map(graph.files.map(({ path, hash }) => [path, hash])),
    packages,
    links: linksOf(root, directory.path, graph),
    shadows: [...graph.shadows]
      .map((path) => inside(root, directory.path, path))
      .filter((path) => path !== undefined)
      .sort(),
    folders: serverFolders.flatMap((path) => inside(root, directory.path, path) ?? []).sort(),
    skills: skills.map(({ name, path }) => ({ name, path })),
    servers: allServers(directory).map(manifestServer),
    skillTools: skillToolsOf(skills),
    settings: powers(settings),
    ...wakingOf(directory.definition),
  };
}

/** The source map does not execute. */
const withoutMap = (program: string): string => program.replace(/\n\/\/# sourceMappingURL=[^\n]*\n?$/, "");

const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : Number(one.path > other.path);

/** A path as seen from a folder, separated by "/". */
const relativePath = (folder: string, path: string): string => relative(folder, path).split(sep).join("/");

function linksOf(root: string, directory: string, graph: ImportGraph): readonly string[] {
  const files = new Set(graph.files.map(({ path }) => path));
  const real = new Set([...files].map((path) => relativePath(root, path)));
  const leading = [...graph.paths].filter((path) => files.has(realPlaceOrSame(path)));
  const written = leading.map((path) => inside(root, directory, path));
  return [...new Set(written.filter((path) => path !== undefined))].filter((path) => !real.has(path)).sort();
}

/** The path of a file relative to the directory, which may itself be a link; undefined for a file outside of it. */
function inside(root: string, directory: string, path: string): string | undefined {
  return [relativePath(root, path), relativePath(directory, path)].find((way) => isInside(way));
}

function powers(settings: AgentDefinition["settings"]): ManifestSettings {
  const { permissions, mode, workspace, sandbox, builtins, tools, skills } = settings;
  return {
    ...(permissions !== undefined && { permissions }),
    ...(mode !== undefined && { mode }),
    ...(workspace !== undefined && { workspace }),
    ...(sandbox !== undefined && { sandbox }),
    ...(builtins !== undefined && { builtins }),
    ...(tools !== undefined && { tools }),
    ...(skills?.paths !== undefined && { skills: { paths: skills.paths } }),
  };
}

/** The prompts and times of the heartbeat: they run unattended. */
function wakingOf({ heartbeat, settings }: AgentDefinition): Pick<Manifest, "heartbeat" | "waking"> {
  const { schedule, timezone } = settings;
  if (heartbeat === undefined && schedule === undefined) return {};
  const routines = heartbeat?.routines.map(({ name, time }) => [name, time]);
  const waking = sha256(sortedJson([{ ...heartbeat, routines }, schedule, timezone]));
  return { heartbeat: wakeUpText(heartbeat, schedule), waking };
}

function manifestFile(path: string, hash: string, tools: readonly ManifestTool[]): ManifestFile {
  return { path, kind: fileKind(path, tools), hash };
}

function wakeUpText(heartbeat: AgentDefinition["heartbeat"], schedule: string | undefined): string {
  const { interval, routines = [] } = heartbeat ?? {};
  const pace = [
    ...(interval === undefined ? [] : [`every ${Math.round(interval / 1000)} seconds`]),
    ...(schedule === undefined ? [] : [`every ${schedule}`]),
  ];
  return [...pace, ...routines.map((routine) => routine.name)].join(", ") || "heartbeat.md";
}

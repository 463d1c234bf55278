import { relative, resolve, sep } from "node:path";
import { isWithin } from "@mdx-ai/base";
import { type AgentFile, type AgentFiles, diskDiagnostics, missingSkillFolder } from "./agent-files.ts";
import type { CacheEntry } from "./definition-cache.ts";
import { readSkillFolder, type SkillFolder } from "./read-agent-files.ts";
import { byFileAndPosition, locate } from "./report.ts";
import { distinctSkills } from "./skills/name-clashes.ts";
import { SourceText } from "./source-text.ts";
import { checkCode, codeLoader } from "./tool-code-check.ts";
import type { Diagnostic } from "./types/diagnostic.ts";
import type { ToolDefinition, ToolSource } from "./types/tool-definition.ts";

/**
 * Puts the texts of the files that `src` attributes name into their tools, and checks them as a code block is checked.
 * A tool whose file could not be read is left out. Reads no disk.
 */
export function withSources(
  { definition, sources, models, diagnostics }: CacheEntry,
  files: readonly AgentFile[],
): Omit<CacheEntry, "sources"> {
  const texts = new Map(files.map((file) => [file.path, textOf(file)]));
  const tools = definition.tools.flatMap((tool) => completed(tool, texts) ?? []);
  const missing = files.filter(({ text }) => text === undefined);
  const found = [
    ...diagnostics,
    ...sources.flatMap((source) => missingDiagnostics(source, missing)),
    ...files.flatMap(sourceDiagnostics),
  ];
  return { definition: { ...definition, tools }, models, diagnostics: found.sort(byFileAndPosition) };
}

/** Without a byte-order mark. */
function textOf({ text }: AgentFile): string | undefined {
  return text === undefined ? undefined : new SourceText(text).text;
}

function completed(tool: ToolDefinition, texts: ReadonlyMap<string, string | undefined>): ToolDefinition | undefined {
  const { code } = tool;
  if (code.file === undefined) return tool;
  const text = texts.get(code.file);
  return text === undefined ? undefined : { ...tool, code: { ...code, text } };
}

/** At the attribute that names the file. */
function missingDiagnostics({ path, line, column }: ToolSource, missing: readonly AgentFile[]): readonly Diagnostic[] {
  const problem = missing.find((file) => file.path === path)?.problem;
  if (problem === undefined) return [];
  const { message, hint } = problem;
  const found: Diagnostic = { file: "agent.mdx", line, column, severity: "error", rule: "tool-source", message };
  return [hint === undefined ? found : { ...found, hint }];
}

/** In the file itself. */
function sourceDiagnostics(file: AgentFile): readonly Diagnostic[] {
  if (file.text === undefined) return [];
  const source = new SourceText(file.text);
  const problems = checkCode(source.text, codeLoader(file.path));
  return [...diskDiagnostics(file), ...problems.map((problem) => locate(problem, source, file.path))];
}

/** The folders of skills besides `skills/`. */
interface MoreSkills {
  /** The agent directory. Absolute. */
  readonly directory: string;
  /** Those of the user, in place of `skills/`. Absolute. */
  readonly skillFolders: readonly string[];
  /** Those that the settings name. */
  readonly paths: readonly string[];
  readonly home: string | undefined;
}

/** Reads the files of these skills, the nearest folder first. Never throws. */
export function moreSkillFiles({ directory, skillFolders, paths, home }: MoreSkills): AgentFiles {
  const named = paths.map((path) => ({ path, folder: folderOf(path, directory, home) }));
  const folders = [...skillFolders, ...named.flatMap(({ folder }) => folder ?? [])];
  const roots = [directory, ...folders];
  const of = (folder: string, name: string): SkillFolder => ({
    ...{ folder, roots, shown: shownFolder(folder, directory) },
    missing: missingSkillFolder(name, name.startsWith("~")),
  });
  const found = [
    ...skillFolders.map((folder) => of(folder, folder)),
    ...named.flatMap(({ path, folder }) => (folder === undefined ? [] : of(folder, path))),
  ].map(readSkillFolder);
  return {
    agent: { path: "agent.mdx" },
    skills: found.flatMap(({ files }) => files),
    modules: [],
    folders: found.flatMap((one) => one.folders),
  };
}

/** Undefined without a home folder. */
function folderOf(path: string, directory: string, home: string | undefined): string | undefined {
  if (!/^~(?:\/|$)/.test(path)) return resolve(directory, path);
  return home === undefined ? undefined : resolve(home, path.slice(2));
}

/** Relative to the agent directory if it is in there, else absolute. */
const shownFolder = (folder: string, directory: string): string =>
  isWithin(directory, folder) ? relative(directory, folder).split(sep).join("/") : folder;

/** The definition with more skills; of several with one name the first, with a warning. */
export function joinSkills(own: Omit<CacheEntry, "sources">, more: CacheEntry): Omit<CacheEntry, "sources"> {
  const { skills, diagnostics } = distinctSkills(more.definition.skills, own.definition.skills);
  return {
    definition: { ...own.definition, skills },
    models: own.models,
    diagnostics: [...own.diagnostics, ...more.diagnostics, ...diagnostics].sort(byFileAndPosition),
  };
}

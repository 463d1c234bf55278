import { resolve } from "node:path";
import type { AgentFile, AgentFiles, SkillFiles } from "./agent-files.ts";
import { DefinitionCache, isDefinition, isSkills } from "./definition-cache.ts";
import { readAgentFiles, realFolder } from "./read-agent-files.ts";
import type { AgentDirectory, DiagnosedDefinition } from "./types/agent-definition.ts";
import type { Parsed } from "./types/diagnostic.ts";
import type { SkillDefinition } from "./types/skill-definition.ts";

/** How an agent directory is read. */
export interface ReadAgentDirectoryOptions {
  /** The folder in which parsed definitions are cached, by content, program version and Bun version; nothing is cached without it. */
  readonly cacheDirectory?: string;
  /** The directory with its links resolved, if the caller knows it. Absolute. */
  readonly realPath?: string;
  /** Receives each text as it was read, with its path relative to the directory. Must not throw. */
  readonly onText?: (file: string, text: string) => void;
  /** Folders of skills in place of `skills/`, the nearest first. Absolute. */
  readonly skillFolders?: readonly string[];
  /** The user's home folder, for `~/` in the settings. Absolute; without it such folders count as missing. */
  readonly home?: string | undefined;
}

/**
 * Reads and parses an agent directory. Never rejects: what is missing, unreadable or wrong becomes a diagnostic. The result is
 * frozen, with all that it holds. The parser is loaded only if the cache has no entry for the files; a cache that cannot be
 * read or written is ignored.
 */
export async function readAgentDirectory(
  path: string,
  options: ReadAgentDirectoryOptions = {},
): Promise<AgentDirectory> {
  const directory = resolve(path);
  return parseAgentFiles(
    readAgentFiles(directory, { hasOwnSkills: options.skillFolders === undefined }),
    directory,
    options,
  );
}

/**
 * The same for files that were read already, or that are on no disk. `directory` is where paths start, and need not exist;
 * absolute.
 */
export async function parseAgentFiles(
  files: AgentFiles,
  directory: string,
  options: ReadAgentDirectoryOptions = {},
): Promise<AgentDirectory> {
  report([files.agent, files.heartbeat, ...files.skills, ...(files.sources ?? [])], options);
  const own = await parsedAgent(files, options);
  const entry = await withMoreSkills(own, directory, options);
  const { realPath = realFolder(directory) } = options;
  return deepFreeze({ path: directory, realPath, ...entry });
}

/** Folders of skills that belong to no agent. */
export interface SkillFoldersOptions extends Caching {
  /** What contains the folders, and to which the paths of their skills are relative. Absolute. */
  readonly directory: string;
  /** The most skills that are parsed. */
  readonly most: number;
}

/** The skills of folders, the nearest first; what is wrong with one is not reported. Absolute paths. Never rejects. */
export async function readSkillFolders(
  skillFolders: readonly string[],
  { directory, most, ...caching }: SkillFoldersOptions,
): Promise<readonly SkillDefinition[]> {
  const { moreSkillFiles } = await import("./more-skills.ts");
  const { skills } = moreSkillFiles({ directory, skillFolders, paths: [], home: undefined });
  const files = skills.filter(({ problem }) => problem === undefined).slice(0, most);
  return files.length === 0 ? [] : deepFreeze((await parsedSkills({ skills: files, folders: [] }, caching)).definition);
}

/** The skills of folders that the settings or the user name are read when the settings are known, and cached on their own. */
async function withMoreSkills(
  own: DiagnosedDefinition,
  directory: string,
  options: ReadAgentDirectoryOptions,
): Promise<DiagnosedDefinition> {
  const { skillFolders = [], home } = options;
  const { paths = [] } = own.definition.settings.skills ?? {};
  if (skillFolders.length === 0 && paths.length === 0) return own;
  const { joinSkills, moreSkillFiles } = await import("./more-skills.ts");
  const files = moreSkillFiles({ directory, skillFolders, paths, home });
  report(files.skills, options);
  return joinSkills(own, await parsedSkills(files, options), files);
}

function report(files: readonly (AgentFile | undefined)[], { onText }: ReadAgentDirectoryOptions): void {
  for (const file of files) if (file?.text !== undefined) onText?.(file.path, file.text);
}

type Caching = Pick<ReadAgentDirectoryOptions, "cacheDirectory">;

const parsedAgent = (files: AgentFiles, { cacheDirectory }: Caching): Promise<DiagnosedDefinition> =>
  parsed(
    files,
    cacheDirectory === undefined ? undefined : new DefinitionCache(cacheDirectory, isDefinition),
    async () => (await import("./define-agent.ts")).defineAgent(files),
  );

const parsedSkills = (files: SkillFiles, { cacheDirectory }: Caching): Promise<Parsed<readonly SkillDefinition[]>> =>
  parsed(files, cacheDirectory === undefined ? undefined : new DefinitionCache(cacheDirectory, isSkills), async () =>
    (await import("./skills/parse-skills.ts")).parseSkills(files),
  );

/** The cached entry of these files, else a new one. A file that took too long is tried again: another time it might not. */
async function parsed<Files extends SkillFiles, Entry extends Parsed<unknown>>(
  files: Files,
  cache: DefinitionCache<Files, Entry> | undefined,
  parse: () => Promise<Entry>,
): Promise<Entry> {
  const cached = cache?.read(files);
  if (cached !== undefined) return cached;
  const entry = await parse();
  if (!entry.diagnostics.some(({ rule }) => rule === "text-too-complex")) cache?.write(files, entry);
  return entry;
}

/** Freezes plain data and all that it holds, and returns it. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

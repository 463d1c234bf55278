import { relative, resolve, sep } from "node:path";
import { isWithin } from "@mdx-ai/base";
import { missingSkillFolder, proseFiles, type SkillFiles } from "./agent-files.ts";
import { readSkillFolder, type SkillFolder } from "./read-agent-files.ts";
import { byFileAndPosition } from "./report.ts";
import { distinctSkills } from "./skills/parse-skills.ts";
import type { DiagnosedDefinition } from "./types/agent-definition.ts";
import type { Parsed } from "./types/diagnostic.ts";
import type { SkillDefinition } from "./types/skill-definition.ts";

/** The folders of skills besides `skills/`. */
interface MoreSkills {
  /** The agent directory. Absolute. */
  readonly directory: string;
  /** The user's own folders, used instead of `skills/`. Absolute. */
  readonly skillFolders: readonly string[];
  /** Those that the settings name. */
  readonly paths: readonly string[];
  readonly home: string | undefined;
}

/** Reads the files of these skills, the nearest folder first. Never throws. */
export function moreSkillFiles({ directory, skillFolders, paths, home }: MoreSkills): SkillFiles {
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
  return { skills: found.flatMap(({ files }) => files), folders: found.flatMap((one) => one.folders) };
}

/** Undefined without a home folder. */
function folderOf(path: string, directory: string, home: string | undefined): string | undefined {
  if (!/^~(?:\/|$)/.test(path)) return resolve(directory, path);
  return home === undefined ? undefined : resolve(home, path.slice(2));
}

/** Relative to the agent directory if it is in there, else absolute. */
const shownFolder = (folder: string, directory: string): string =>
  isWithin(directory, folder) ? relative(directory, folder).split(sep).join("/") : folder;

/** The definition with more skills, which come from these files; of several with one name the first, with a warning. */
export function joinSkills(
  own: DiagnosedDefinition,
  more: Parsed<readonly SkillDefinition[]>,
  files: SkillFiles,
): DiagnosedDefinition {
  const { definition: skills, diagnostics } = distinctSkills(more.definition, own.definition.skills);
  return {
    definition: { ...own.definition, skills },
    models: own.models,
    files: [...own.files, ...proseFiles(files.skills)],
    diagnostics: [...own.diagnostics, ...more.diagnostics, ...diagnostics].sort(byFileAndPosition),
  };
}

import { basename } from "node:path";
import {
  type AgentSettings,
  type PermissionAction,
  type PermissionSettings,
  patternText,
  permissionRules,
} from "@mdx-ai/parser";
import type { Entry } from "./entry.ts";

/** Everything in an agent directory that can execute, and what it may do: plain data, made without running any code. */
export interface Manifest {
  /** What executes and what grants capabilities, rules in their order. No prose: no persona, descriptions or texts of skills. */
  readonly entries: readonly Entry[];
  /** The names of its skills. */
  readonly skills: readonly string[];
  /** The names of the inline tools whose code imports anything that is not part of Bun. */
  readonly importingTools: readonly string[];
  /** Hashes of all files that execute or decide what executes, those of packages included, by their real and absolute paths. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Paths within the directory that lead to executed files through symbolic links. */
  readonly links: readonly string[];
  /** Paths within the directory at which a new file would be imported in place of an existing one. */
  readonly shadows: readonly string[];
  /** Folders within the directory whose programs its MCP servers may run: a new file in one defines the agent. */
  readonly folders: readonly string[];
}

/** Whether a path that is relative to the directory and separated by "/" lies within it. */
export const isInside = (path: string): boolean => path !== ".." && !path.startsWith("../") && !path.startsWith("/");

/** The package that connects to a model, such as `@ai-sdk/google` of `ai-sdk:@ai-sdk/google#gemini`. */
export const packageOfModel = (reference: string): string | undefined => /^\s*ai-sdk:([^#]+)#/.exec(reference)?.[1];

/** The packages of the models in the frontmatter. Their code runs in this process. */
export const modelPackages = ({ model = [] }: Pick<AgentSettings, "model">): readonly string[] =>
  [model]
    .flat()
    .flatMap((models) => models.split(","))
    .flatMap((reference) => packageOfModel(reference) ?? []);

/** One rule of `permissions`: a pattern such as `write_file(out/**)` and the action for matching calls. */
export interface ShownRule {
  readonly pattern: string;
  readonly action: PermissionAction;
}

/** The rules of `permissions` in their order; lists under one tool become one rule each. */
export const shownRules = (permissions: PermissionSettings): readonly ShownRule[] =>
  permissionRules(permissions).map((rule) => ({ pattern: patternText(rule), action: rule.action }));

/** Files of the directory that decide how imports resolve. */
export const CONFIGURATION: readonly string[] = [
  ...["package.json", "tsconfig.json", "jsconfig.json"],
  ...["bun.lock", "bun.lockb", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"],
];

/** Why a file is in a manifest: the kinds of entries whose items are files. */
export type FileKind =
  /** In `modules/`. */
  | "module file"
  /** In `tools/`, or the file of a tool's `src`. */
  | "tool file"
  /** Imported by code of the directory, directly or not. */
  | "imported file"
  /** Among the scripts of a skill, which a model may run. */
  | "script"
  /** The SKILL.md of a skill that is not in `skills/`: the model obeys it, although it may lie outside of the directory. */
  | "skill file"
  /** package.json and others, at the top level or beside code, that decide what an import resolves to. */
  | "file";

const FILE_KINDS: readonly string[] = ["module file", "tool file", "imported file", "script", "skill file", "file"];

/** The files of a manifest but for those of packages, relative to the real directory; outside of it they begin with "../". */
export const filesOf = ({ entries }: Pick<Manifest, "entries">): readonly (Entry & { readonly item: string })[] =>
  entries.flatMap((entry) =>
    FILE_KINDS.includes(entry.kind) && entry.item !== undefined ? [{ ...entry, item: entry.item }] : [],
  );

/** The items of a kind. */
export const itemsOf = ({ entries }: Pick<Manifest, "entries">, kind: string): readonly string[] =>
  entries.flatMap((entry) => (entry.kind === kind ? (entry.item ?? []) : []));

/** Why a file is part of a manifest. Depends on its path alone, not on what imports it. */
export function fileKind(path: string, sources: readonly string[]): FileKind {
  if (sources.includes(path)) return "tool file";
  const folder = path.slice(0, path.indexOf("/") + 1);
  const name = basename(path);
  if (name.toLowerCase() === "skill.md") return FOLDERS.get(folder) ?? "skill file";
  return FOLDERS.get(folder) ?? (CONFIGURATION.includes(name) ? "file" : "imported file");
}

const FOLDERS: ReadonlyMap<string, FileKind> = new Map([
  ["modules/", "module file"],
  ["tools/", "tool file"],
  ["skills/", "script"],
]);

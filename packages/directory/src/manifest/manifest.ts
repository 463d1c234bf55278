import { basename } from "node:path";
import type { JsonSchema } from "@mdx-ai/base";
import {
  type AgentSettings,
  type PermissionAction,
  type PermissionSettings,
  patternText,
  permissionRules,
  type SkillDefinition,
  type SkillEntrypoint,
  type ToolDefinition,
} from "@mdx-ai/parser";
import type { ManifestServer } from "./manifest-server.ts";

/** An inline tool: the hash of its code, and what it may do. Attributes that the author did not write are absent. */
export interface ManifestTool
  extends Pick<
    ToolDefinition,
    "name" | "description" | "environment" | "network" | "files" | "permission" | "idempotent" | "timeout"
  > {
  /** SHA-256 of the code, in hexadecimal digits like all hashes here. */
  readonly code: string;
  /** The file of `src`, relative to the directory. */
  readonly source?: string;
  /** The schema of the parameters that a model receives. */
  readonly schema: JsonSchema;
  /** Whether its code imports anything that is not part of Bun. */
  readonly isImporting: boolean;
}

/** A tool of a skill: its entrypoint is all that a call of it runs, besides the files of the skill. */
export interface ManifestSkillTool {
  readonly skill: string;
  readonly name: string;
  /** As an author writes it, such as `bash:cat {path}`. */
  readonly entrypoint: string;
  readonly schema: JsonSchema;
  /** The server and the proto file of the skill, for an entrypoint of gRPC. */
  readonly grpc?: string;
  readonly proto?: string;
}

/** The tools of skills, in their order. */
export const skillToolsOf = (skills: readonly SkillDefinition[]): readonly ManifestSkillTool[] =>
  skills.flatMap(({ name: skill, tools = [], grpc, proto }) =>
    tools.map(({ name, entrypoint, schema }) => ({
      ...{ skill, name, entrypoint: entrypointText(entrypoint), schema },
      ...(entrypoint.scheme === "grpc" && {
        ...(grpc !== undefined && { grpc }),
        ...(proto !== undefined && { proto }),
      }),
    })),
  );

function entrypointText({ scheme, target }: SkillEntrypoint): string {
  if (scheme === "unknown") return target;
  return `${scheme}${scheme.startsWith("http:") ? " " : ":"}${target}`;
}

/** Why a file is part of a manifest. */
export type FileKind =
  /** In `modules/`. */
  | "module"
  /** In `tools/`, or the file of a tool's `src`. */
  | "tool"
  /** Imported by code of the directory, directly or not. */
  | "import"
  /** Among the scripts of a skill, which a model may run. */
  | "script"
  /** The SKILL.md of a skill that is not in `skills/`: the model obeys it, although it may lie outside of the directory. */
  | "skill"
  /** package.json and others, at the top level or beside code, that decide what an import resolves to. */
  | "configuration";

/** A file that executes, or that decides what executes. */
export interface ManifestFile {
  /** The real path, relative to the real directory and separated by "/"; it begins with "../" outside of the directory. */
  readonly path: string;
  readonly kind: FileKind;
  readonly hash: string;
}

/** An installed package that code of the directory imports. */
export interface ManifestPackage {
  /** Such as `left-pad@1.3.0`. */
  readonly name: string;
  /** Hash of its imported files and its package.json. */
  readonly hash: string;
}

/** Settings of the frontmatter that grant or restrict power. */
export type ManifestSettings = Pick<
  AgentSettings,
  "permissions" | "mode" | "workspace" | "sandbox" | "builtins" | "tools" | "skills"
>;

/** Everything in an agent directory that can execute, and what it may do: plain data, made without running any code. */
export interface Manifest {
  readonly tools: readonly ManifestTool[];
  /** Hash of the compiled prose of agent.mdx, if it contains code. */
  readonly program?: string;
  /** Sorted by path, without the files of packages. */
  readonly files: readonly ManifestFile[];
  /** Hashes of all these files and of the imported files of packages, by their real and absolute paths. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Sorted by name. */
  readonly packages: readonly ManifestPackage[];
  /** Paths within the directory that lead to executed files through symbolic links. */
  readonly links: readonly string[];
  /** Paths within the directory at which a new file would be imported in place of an existing one. */
  readonly shadows: readonly string[];
  /** Folders within the directory whose programs its MCP servers may run: a new file in one defines the agent. */
  readonly folders: readonly string[];
  readonly skills: readonly { readonly name: string; readonly path: string }[];
  /** Several may have one name. */
  readonly servers: readonly ManifestServer[];
  readonly skillTools: readonly ManifestSkillTool[];
  readonly settings: ManifestSettings;
  /** When it wakes up, for people; absent if it does not. */
  readonly heartbeat?: string;
  /** Hash of its prompts and times; absent if it does not wake up. */
  readonly waking?: string;
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

/** Why a file is part of a manifest. Depends on its path alone, not on what imports it. */
export function fileKind(path: string, tools: readonly { readonly source?: string | undefined }[]): FileKind {
  if (tools.some(({ source }) => source === path)) return "tool";
  const folder = path.slice(0, path.indexOf("/") + 1);
  const name = basename(path);
  if (name.toLowerCase() === "skill.md") return FOLDERS.get(folder) ?? "skill";
  return FOLDERS.get(folder) ?? (CONFIGURATION.includes(name) ? "configuration" : "import");
}

const FOLDERS: ReadonlyMap<string, FileKind> = new Map([
  ["modules/", "module"],
  ["tools/", "tool"],
  ["skills/", "script"],
]);

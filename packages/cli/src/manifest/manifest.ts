import type { AgentSettings, JsonSchema, ToolDefinition } from "@mdx-ai/parser";

/** An inline tool: its code by its hash, and what it may do. What the author did not say is absent. */
export interface ManifestTool
  extends Pick<
    ToolDefinition,
    "name" | "description" | "environment" | "network" | "files" | "permission" | "idempotent" | "timeout"
  > {
  /** SHA-256 of the code, in hexadecimal digits as all hashes here. */
  readonly code: string;
  /** The file of `src`, relative to the directory. */
  readonly source?: string;
  /** What the tool takes, as a model is told. */
  readonly schema: JsonSchema;
  /** Whether its code imports anything but what Bun brings. */
  readonly isImporting: boolean;
}

/** Why a file is part of a manifest. */
export type FileKind =
  /** In `modules/`. */
  | "module"
  /** In `tools/`, or the file of a tool's `src`. */
  | "tool"
  /** Imported, directly or not, by code of the directory. */
  | "import"
  /** Among the scripts of a skill, which a model may run. */
  | "script"
  /** package.json and others that decide what an import leads to. */
  | "configuration";

/** A file that executes, or that decides what executes. */
export interface ManifestFile {
  /** The real path, relative to the real directory and separated by "/"; one that lies outside begins with "../". */
  readonly path: string;
  readonly kind: FileKind;
  readonly hash: string;
}

/** An installed package that code of the directory imports. */
export interface ManifestPackage {
  /** Such as `left-pad@1.3.0`. */
  readonly name: string;
  /** Of all its files that are imported, and of its package.json. */
  readonly hash: string;
}

/** Settings of the frontmatter that give or take power. */
export type ManifestSettings = Pick<AgentSettings, "permissions" | "sandbox"> & { readonly mcp?: unknown };

/** All of an agent directory that can execute, and what it may do: plain data, made without running any of it. */
export interface Manifest {
  readonly tools: readonly ManifestTool[];
  /** Of the compiled prose of agent.mdx, where it holds code. */
  readonly program?: string;
  /** Sorted by path; those of packages are not among them. */
  readonly files: readonly ManifestFile[];
  /** Sorted by name. */
  readonly packages: readonly ManifestPackage[];
  /** Paths within the directory that lead to what executes and are symbolic links, or pass through one. */
  readonly links: readonly string[];
  /** Paths within the directory where nothing is, and where a file would be imported in the place of another. */
  readonly shadows: readonly string[];
  readonly skills: readonly { readonly name: string; readonly path: string }[];
  readonly settings: ManifestSettings;
  /** When it wakes by itself; absent without heartbeat.md. */
  readonly heartbeat?: string;
}

/** Whether a path that is relative to the directory and separated by "/" lies within it. */
export const isInside = (path: string): boolean => path !== ".." && !path.startsWith("../") && !path.startsWith("/");

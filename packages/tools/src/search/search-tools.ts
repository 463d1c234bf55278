import type { Environment, JsonObject } from "@mdx-ai/base";
import { projectFolders } from "@mdx-ai/base/disk";
import type { ToolContext } from "@mdx-ai/loop";
import { resolveToPermit } from "@mdx-ai/permissions";
import { FOLDER_ALIASES, LIST_ALIASES, PATH_ALIASES } from "../file-tool-habits.ts";
import type { ListedTool } from "../listed-tool.ts";
import { type ShownFiles, searchedPath } from "./search-root.ts";

export interface SearchOptions {
  /** The user's environment variables, for finding programs. */
  readonly environment: Environment;
  /** The user's working directory. Absolute. */
  readonly cwd?: string | undefined;
  /** Which files to show. Default: all. */
  readonly shownFiles?: ShownFiles | undefined;
}

const path = { type: "string", description: "Folder to search; default: the working directory" };
const limit = (most: number) => ({ type: "integer", minimum: 1, maximum: 10_000, description: `Default ${most}` });

const LIMIT_ALIASES = ["max_results", "head_limit", "max_count"];

/** The common part of the search tools: they read below a folder, and change nothing. */
const reading = {
  effects: "reads" as const,
  access: async (args: JsonObject, { cwd }: Pick<ToolContext, "cwd">) => ({
    kind: "read" as const,
    path: resolveToPermit(searchedPath(args, cwd)),
  }),
};

/** The builtin tool `grep`. Uses ripgrep if available; otherwise searches in this process. */
export function grepTool({ environment, cwd: start, shownFiles = () => () => true }: SearchOptions): ListedTool {
  return {
    ...reading,
    name: "grep",
    listing: { group: "coding", counterparts: ["grep"] },
    label: { kind: "search", verb: "grep" },
    description:
      "Search files for a regular expression, line by line. Leaves out .git, what .gitignore excludes, and binary files. Results are sorted by path, and paths are relative to the working directory.",
    parameters: {
      type: "object",
      properties: {
        pattern: {
          type: "string",
          description: "A regular expression, without lookaround and backreferences; case counts",
        },
        path: { type: "string", description: "Folder or file to search; default: the working directory" },
        glob: { type: "string", description: "Only files that match, such as *.ts or src/**/*.md" },
        ignore_case: { type: "boolean" },
        context: { type: "integer", minimum: 0, maximum: 20, description: "Lines to show around a match; default 0" },
        limit: limit(200),
        mode: { enum: ["lines", "files", "count"], description: "What to return; default lines" },
      },
      required: ["pattern"],
    },
    aliases: [
      "search",
      "search_files",
      "grep_search",
      "rg",
      "ripgrep",
      "search_file_content",
      "search_content",
      "search_text",
    ],
    parameterHabits: {
      names: {
        pattern: ["query", "regex", "regexp", "search", "search_pattern"],
        path: [...FOLDER_ALIASES, ...PATH_ALIASES],
        glob: ["include", "include_pattern", "file_pattern"],
        ignore_case: ["-i", "case_insensitive", "insensitive"],
        context: ["-C", "context_lines"],
        limit: LIMIT_ALIASES,
        mode: ["output_mode"],
      },
      ignored: { "-n": "any", line_numbers: "any" },
    },
    example: { pattern: "TODO", path: "src", glob: "*.ts" },
    execute: async (args, context) => {
      const [{ grep }, { findRipgrep }] = await Promise.all([import("./grep.ts"), import("./ripgrep.ts")]);
      const outside = [context.agentDir, context.cwd].flatMap(projectFolders);
      const ripgrep = findRipgrep({ environment, outside, cwd: start });
      return grep(args, context, { shownFiles, ripgrep });
    },
  };
}

/** The builtin tool `glob`. */
export function globTool({ shownFiles = () => () => true }: SearchOptions): ListedTool {
  return {
    ...reading,
    name: "glob",
    listing: { group: "coding", counterparts: ["glob"] },
    label: { kind: "search", verb: "glob" },
    description:
      "Find files by the pattern of their paths, such as **/*.ts. Leaves out .git and what .gitignore excludes. Sorted by path, relative to the working directory.",
    parameters: {
      type: "object",
      properties: {
        pattern: { type: "string", description: "With *, **, ?, [a-z] and {a,b}; without a / it is about file names" },
        path,
        limit: limit(200),
      },
      required: ["pattern"],
    },
    aliases: ["find", "find_files", "file_search", "glob_search", "find_file"],
    parameterHabits: {
      names: { pattern: ["glob", "glob_pattern", "query", "file_pattern"], path: FOLDER_ALIASES, limit: LIMIT_ALIASES },
    },
    example: { pattern: "**/*.ts", path: "src" },
    execute: async (args, context) => (await import("./find-files.ts")).globFiles(args, context, shownFiles),
  };
}

/** The builtin tool `list_files`. */
export function listFilesTool({ shownFiles = () => () => true }: SearchOptions): ListedTool {
  return {
    ...reading,
    name: "list_files",
    listing: { group: "coding", counterparts: ["ls", "list"] },
    label: { kind: "list", verb: "list" },
    description:
      "List a folder; names of folders end with /. Leaves out .git and what .gitignore excludes. Sorted by path, relative to the folder.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Folder to list; default: the working directory" },
        depth: {
          type: "integer",
          minimum: 1,
          maximum: 20,
          description: "How deep to list; default 1: the folder alone",
        },
      },
    },
    aliases: LIST_ALIASES,
    parameterHabits: { names: { path: FOLDER_ALIASES, depth: ["max_depth"] } },
    example: { path: "src", depth: 1 },
    execute: async (args, context) => (await import("./find-files.ts")).listFiles(args, context, shownFiles),
  };
}

import type { BuiltinTool } from "@mdx-ai/loop";
import { type BuiltinToolName, builtinToolNames } from "@mdx-ai/parser";
import { aiagentTools } from "./aiagent/aiagent-tools.ts";
import { bashTool } from "./bash.ts";
import { editFileTool } from "./edit/edit-file-tool.ts";
import { FileMemory } from "./file-memory.ts";
import { type ReadTransform, readFileTool } from "./read-file.ts";
import type { ShownFiles } from "./search/search-root.ts";
import { globTool, grepTool, listFilesTool } from "./search/search-tools.ts";
import type { ShellOptions } from "./shell-run.ts";
import { writeFileTool } from "./write-file.ts";

export interface BuiltinToolsOptions extends ShellOptions {
  /** What sessions have read and written last; nothing if absent. */
  readonly files?: FileMemory;
  /** Changes the text that `read_file` returns. */
  readonly readTransform?: ReadTransform;
  /** Which files the tools that search may show; all if absent. */
  readonly shownFiles?: ShownFiles;
  /** Whether no tool may read a real path; none is if absent. */
  readonly isHidden?: (path: string) => boolean;
  /** The user's working directory. Absolute. */
  readonly cwd?: string;
}

/** Makes the builtin tools of these names, in their order. Their code is loaded when it is first called. */
export function builtinTools(
  options: BuiltinToolsOptions,
  names: readonly BuiltinToolName[] = builtinToolNames,
): BuiltinTool[] {
  const { files = new FileMemory(), readTransform, shownFiles, isHidden, cwd, ...shell } = options;
  const search = { environment: options.environment, cwd, shownFiles };
  const aiagent = aiagentTools(shell, { files, shownFiles, isHidden });
  const make: Readonly<Record<BuiltinToolName, () => BuiltinTool>> = {
    bash: () => bashTool(shell),
    read_file: () => readFileTool(readTransform, files),
    write_file: () => writeFileTool({ files, isHidden }),
    edit_file: () => editFileTool({ files, isHidden }),
    grep: () => grepTool(search),
    glob: () => globTool(search),
    list_files: () => listFilesTool(search),
    ...aiagent,
  };
  return names.map((name) => make[name]());
}

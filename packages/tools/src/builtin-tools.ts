import { builtinToolNames, type SearchEndpoint } from "@mdx-ai/parser";
import { fsListTool, fsReadTool, fsWriteTool, shellExecTool } from "./aiagent/aiagent-tools.ts";
import { BackgroundCommands } from "./background-commands.ts";
import { bashOutputTool, bashStopTool } from "./background-tools.ts";
import { bashTool } from "./bash.ts";
import { editFileTool } from "./edit/edit-file-tool.ts";
import type { ToolNetwork } from "./entrypoints/network-address.ts";
import { FileMemory } from "./file-memory.ts";
import type { ListedTool } from "./listed-tool.ts";
import { type ReadTransform, readFileTool } from "./read-file.ts";
import type { ShownFiles } from "./search/search-root.ts";
import { globTool, grepTool, listFilesTool } from "./search/search-tools.ts";
import type { ShellOptions } from "./shell-run.ts";
import { todoTool } from "./todo.ts";
import type { UserEditor } from "./user-editor.ts";
import { webFetchTool, webSearchTool } from "./web/web-tools.ts";
import { writeFileTool } from "./write-file.ts";

export interface BuiltinToolsOptions extends ShellOptions {
  /** Records what sessions read and wrote last; nothing if absent. */
  readonly files?: FileMemory;
  /** Changes the text that `read_file` returns. */
  readonly readTransform?: ReadTransform;
  /** Which files the search tools may show. Default: all. */
  readonly shownFiles?: ShownFiles;
  /** Whether a real path is hidden from all tools. Default: none is. */
  readonly isHidden?: (path: string) => boolean;
  /** The user's working directory. Absolute. */
  readonly cwd?: string;
  /** The seconds after which a command of `bash` is killed by default. Default: 30. */
  readonly seconds?: number;
  /** How `web_fetch` reaches the network. Default: public addresses only. */
  readonly network?: ToolNetwork;
  /** Where `web_search` searches; without it, there is no such tool. */
  readonly webSearch?: SearchEndpoint | undefined;
  /** The background commands of all sessions. Commands run in the background only if `bash_output` is among the tools. */
  readonly background?: BackgroundCommands;
  /** The user's editor, in place of the disk and the shell as far as it offers that. */
  readonly editor?: UserEditor | undefined;
}

interface ToolParts extends BuiltinToolsOptions {
  readonly files: FileMemory;
  readonly background: BackgroundCommands;
}

/** The builtin tools by name, in the order in which a model sees them. */
const TOOLS: Readonly<Record<string, (options: ToolParts, names: readonly string[]) => ListedTool | undefined>> = {
  bash: (options, names) => bashTool(names.includes("bash_output") ? options : { ...options, background: undefined }),
  bash_output: bashOutputTool,
  bash_stop: bashStopTool,
  read_file: readFileTool,
  write_file: writeFileTool,
  edit_file: editFileTool,
  grep: grepTool,
  glob: globTool,
  list_files: listFilesTool,
  web_fetch: ({ network = {} }) => webFetchTool(network),
  web_search: webSearchTool,
  todo: todoTool,
  "fs.list": fsListTool,
  "fs.read": fsReadTool,
  "fs.write": fsWriteTool,
  "shell.exec": shellExecTool,
};

/** The names of all builtin tools. */
export const BUILTIN_TOOLS: readonly string[] = Object.keys(TOOLS);

/** Creates the builtin tools with these names, in their order. Their code is loaded on the first call. */
export function builtinTools(
  options: BuiltinToolsOptions,
  names: readonly string[] = builtinToolNames,
): readonly ListedTool[] {
  const { files = new FileMemory(), background = new BackgroundCommands() } = options;
  const parts = { ...options, files, background, reaper: background.reaper };
  const tools: ListedTool[] = [];
  for (const name of names) {
    const tool = TOOLS[name]?.(parts, names);
    if (tool !== undefined) tools.push(tool);
  }
  return tools;
}

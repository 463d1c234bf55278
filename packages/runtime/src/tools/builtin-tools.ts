import type { AgentTool } from "../types/tool.ts";
import { bashTool } from "./bash.ts";
import { type ReadTransform, readFileTool } from "./read-file.ts";
import type { ShellOptions } from "./shell-run.ts";
import { writeFileTool } from "./write-file.ts";

export interface BuiltinToolsOptions extends ShellOptions {
  /** Changes the text that `read_file` returns. */
  readonly readTransform?: ReadTransform;
}

/** The tools of every agent: `bash`, `read_file`, `write_file`. */
export function builtinTools({ readTransform, ...options }: BuiltinToolsOptions): AgentTool[] {
  return [bashTool(options), readFileTool(readTransform), writeFileTool()];
}

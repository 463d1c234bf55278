import type { Environment } from "@mdx-ai/models";
import type { AgentTool } from "../types/tool.ts";
import { bashTool } from "./bash.ts";
import { type ReadTransform, readFileTool } from "./read-file.ts";
import { writeFileTool } from "./write-file.ts";

export interface BuiltinToolsOptions {
  /** Absolute: where commands run and relative paths start. */
  readonly agentDir: string;
  /** The user's variables; a command gets those that do not look like secrets. */
  readonly environment: Environment;
  /** Changes the text that `read_file` gives. */
  readonly readTransform?: ReadTransform;
}

/** The tools of every agent: `bash`, `read_file`, `write_file`. */
export function builtinTools({ agentDir, environment, readTransform }: BuiltinToolsOptions): AgentTool[] {
  return [bashTool(agentDir, environment), readFileTool(agentDir, readTransform), writeFileTool(agentDir)];
}

import type { JsonObject } from "@mdx-ai/base";
import type { OpenDirectory } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import type { AgentTool, ToolResult } from "@mdx-ai/loop";
import { wireNames } from "@mdx-ai/parser";
import { executeTool } from "@mdx-ai/tools";

/** The tools of an agent by the names that models and clients call. A call that the user would have to allow is an error. */
export function toolsByName({ agent }: Pick<OpenDirectory, "agent">): ReadonlyMap<string, AgentTool> {
  const tools = agent.permittedTools;
  const names = wireNames(tools.map(({ name }) => name));
  return new Map(tools.map((tool) => [names.get(tool.name) ?? tool.name, tool]));
}

export interface ToolRun {
  readonly signal: AbortSignal;
  /** Receives what the tool logs. */
  readonly onWarning: (message: string) => void;
}

/** Runs a tool of an agent without a model and a session. Never rejects: what goes wrong is the result. */
export const runTool = (
  { directory, folder }: Pick<OpenDirectory, "directory" | "folder">,
  tool: AgentTool,
  args: JsonObject,
  { signal, onWarning }: ToolRun,
): Promise<ToolResult> =>
  executeTool(tool, args, {
    ...{ agentDir: directory.path, cwd: folder, sessionId: "none", callId: "none", signal },
    log: async (message) => onWarning(plainLine(message)),
    update: () => {},
  });

import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, type AgentOptions, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { type Reply, scriptReference } from "./replies.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Opens the agent of a directory on a model that plays replies, or on the model that the options name. */
export async function openScriptAgent(
  directory: string,
  replies: readonly Reply[],
  options: Partial<AgentOptions> = {},
): Promise<Agent> {
  using scripts = temporaryDirectory();
  return openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel(scriptReference(scripts.path, replies), { environment: {} }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: process.env,
    ...options,
  });
}

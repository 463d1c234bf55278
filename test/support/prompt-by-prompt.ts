import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import type { AnthropicServer } from "./anthropic-server.ts";

export interface Opening {
  readonly server: AnthropicServer;
  readonly model?: string;
  readonly onBackgroundEnd?: () => void;
}

export async function open(
  directory: string,
  { server, model = "claude-test", onBackgroundEnd }: Opening,
): Promise<Agent> {
  return openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel(model, { environment: server.environment }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: process.env,
    onBackgroundEvent: (event) => event.type === "agent_end" && onBackgroundEnd?.(),
  });
}

/** The bodies of the requests. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON
export const sent = (server: AnthropicServer): readonly any[] => server.requests.map(({ text }) => JSON.parse(text));

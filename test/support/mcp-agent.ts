import { createRedactor } from "@mdx-ai/base";
import { type OpenDirectory, openDirectory } from "@mdx-ai/directory";
import { openModel } from "@mdx-ai/models";
import { type RunningMcpServer, serveMcpHttp } from "@mdx-ai/server/mcp";
import { type AgentFiles, agentDirectory } from "./agent-directory.ts";
import { type Reply, scriptReference } from "./replies.ts";
import { cliEnvironment } from "./run-cli.ts";
import { TOKEN } from "./served-agent.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** An agent that is served by the Model Context Protocol over HTTP, in this process. */
export interface McpAgent extends AsyncDisposable {
  readonly server: RunningMcpServer;
  readonly open: OpenDirectory;
  readonly directory: string;
  readonly warnings: readonly string[];
}

export interface McpAgentOptions {
  readonly files?: AgentFiles;
  readonly replies?: readonly Reply[];
}

export async function mcpAgent({ files, replies = [] }: McpAgentOptions = {}): Promise<McpAgent> {
  const folders = temporaryDirectory();
  const made = agentDirectory(files);
  const environment = cliEnvironment({ home: `${folders.path}/home` });
  const warnings: string[] = [];
  const open = await openDirectory(made.path, {
    model: await openModel(scriptReference(folders.path, replies), { environment: {} }),
    run: { isTrusted: true, session: "main", answersWithin: Number.POSITIVE_INFINITY, mode: "ask", sandboxMode: "off" },
    frontEnd: { environment, currentDirectory: made.path },
  });
  const server = await serveMcpHttp({
    ...{ open, port: 0, version: "1.2.3", redactor: createRedactor({ environment }) },
    access: { type: "token", token: TOKEN },
    onWarning: (text) => warnings.push(text),
  });
  return {
    ...{ server, open, directory: made.path, warnings },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await open.close();
      made[Symbol.dispose]();
      folders[Symbol.dispose]();
    },
  };
}

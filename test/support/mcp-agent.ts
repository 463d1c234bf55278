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
  readonly home: string;
  readonly warnings: readonly string[];
  /** Ends the server and the agent; running prompts stay interrupted. */
  stop(): Promise<void>;
}

export interface McpAgentOptions {
  readonly files?: AgentFiles;
  readonly replies?: readonly Reply[];
  /** The agent's directory; a new one if absent. Absolute. */
  readonly directory?: string;
  /** The user's home folder; a new one if absent. Absolute. */
  readonly home?: string;
}

export async function mcpAgent({ files, replies = [], ...given }: McpAgentOptions = {}): Promise<McpAgent> {
  const folders = temporaryDirectory();
  const made = given.directory === undefined ? agentDirectory(files) : undefined;
  const { directory = made?.path ?? "", home = `${folders.path}/home` } = given;
  const environment = cliEnvironment({ home });
  const warnings: string[] = [];
  const open = await openDirectory(directory, {
    model: await openModel(scriptReference(folders.path, replies), { environment: {} }),
    run: { isTrusted: true, session: "main", answersWithin: Number.POSITIVE_INFINITY, mode: "ask", sandboxMode: "off" },
    frontEnd: { environment, currentDirectory: directory },
  });
  const server = await serveMcpHttp({
    ...{ open, port: 0, version: "1.2.3", redactor: createRedactor({ environment }) },
    access: { type: "token", token: TOKEN },
    onWarning: (text) => warnings.push(text),
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await open.close();
  };
  return {
    ...{ server, open, directory, home, warnings, stop },
    async [Symbol.asyncDispose]() {
      await stop();
      made?.[Symbol.dispose]();
      folders[Symbol.dispose]();
    },
  };
}

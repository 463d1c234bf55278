import type { AgentTool, ToolOrigin, ToolSource } from "@mdx-ai/loop";
import { hasGivenAnswers, type ServerQuestions } from "@mdx-ai/sessions";
import type { AgentLog } from "../log/agent-log.ts";
import type { AgentOptions } from "../types/agent-options.ts";
import { declaredServers } from "./declared-servers.ts";
import type { McpServer } from "./mcp-server.ts";

/** The MCP servers of an agent. A server starts when it is needed. */
export interface LoadedServers {
  readonly all: readonly McpServer[];
  /** One tool source for each server, in order, with the accepted tools, each replaced by `change`. */
  sources(accepts: (name: string) => boolean, change: (tool: AgentTool) => AgentTool): readonly ToolSource[];
  /** Begins to connect servers with `connect: eager`. A skill's server waits for a session with the skill enabled. */
  connectEager(): void;
  /** Ends the servers that none of the given agents uses. Never rejects. */
  close(keptBy?: readonly LoadedServers[]): Promise<void>;
}

/** For an agent without servers. */
export const NO_SERVERS: LoadedServers = {
  all: [],
  sources: () => [],
  connectEager: () => {},
  close: async () => {},
};

const PREFIX = "/mcp:";

/** Whether a text is a prompt of an MCP server: `/mcp:SERVER:PROMPT arguments`. */
export const isMcpPrompt = (text: string): boolean => text.trimStart().startsWith(PREFIX);

type ServerOptions = Pick<
  AgentOptions,
  | "directory"
  | "servers"
  | "waitsForServers"
  | "tokensDirectory"
  | "onServerQuestion"
  | "answersWithin"
  | "onSignIn"
  | "questionsDirectory"
> &
  Required<Pick<AgentOptions, "clock" | "environment" | "onWarning" | "dataDirectory">>;

interface OpenServersParts {
  /** The working directory of the agent's tools. Absolute. */
  readonly folder: string;
  readonly log: AgentLog;
  readonly questions: ServerQuestions;
  readonly before: LoadedServers | undefined;
}

/** The MCP servers of an agent. None is started. */
export async function openServers(
  options: ServerOptions,
  { folder, log, questions, before }: OpenServersParts,
): Promise<LoadedServers> {
  const { directory, clock, environment, onWarning, tokensDirectory, onServerQuestion, onSignIn } = options;
  const { waitsForServers: waits = true, answersWithin } = options;
  const declared = declaredServers(directory, options.servers ?? [], onWarning);
  if (declared.length === 0) return NO_SERVERS;
  // Without a handler, a server would not ask again for a question that was answered meanwhile.
  const canAsk = onServerQuestion !== undefined || answersWithin !== undefined || areAnswersGiven(options);
  const { McpServers } = await import("./mcp-servers.ts");
  return new McpServers(
    declared,
    {
      ...{ clock, waits, environment, onWarning, roots: [folder] },
      ...(tokensDirectory !== undefined && { tokensDirectory }),
      onNote: (line) => log.note(line),
      ...(onSignIn && {
        onSignIn: (asked, signIn) => {
          onSignIn(asked.server, asked.url);
          void questions.signIn(asked, signIn);
        },
      }),
      ...(canAsk && { onQuestion: (asked, signal) => questions.ask(asked, signal) }),
    },
    before,
  );
}

function areAnswersGiven({ questionsDirectory, dataDirectory }: ServerOptions): boolean {
  return questionsDirectory !== undefined && hasGivenAnswers({ questionsDirectory, dataDirectory });
}

/** Warns once about each MCP tool whose name is taken by another source. */
export function takenWarning(
  onWarning: (message: string) => void,
): (name: string, by: ToolOrigin, origin: ToolOrigin) => void {
  const said = new Set<string>();
  return (name, by, origin) => {
    const line = `the tool ${name} of ${origin} is left out: ${by} has a tool of the same name`;
    if (!/^mcp:/.test(origin) || said.has(line)) return;
    said.add(line);
    onWarning(line);
  };
}

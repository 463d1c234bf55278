import type { ToolOrigin } from "@mdx-ai/loop";
import type { ServerQuestions } from "@mdx-ai/sessions";
import type { AgentLog } from "../log/agent-log.ts";
import { declaredServers } from "../mcp/declared-servers.ts";
import { type LoadedServers, NO_SERVERS } from "../mcp/loaded-servers.ts";
import type { AgentOptions } from "../types/agent-options.ts";

type ServerOptions = Pick<
  AgentOptions,
  "directory" | "servers" | "waitsForServers" | "tokensDirectory" | "onServerQuestion" | "answersWithin" | "onSignIn"
> &
  Required<Pick<AgentOptions, "clock" | "environment" | "onWarning">>;

interface OpenServersParts {
  /** Where the tools of the agent work. Absolute. */
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
  const canAsk = onServerQuestion !== undefined || answersWithin !== undefined;
  const declared = declaredServers(directory, options.servers ?? [], onWarning);
  if (declared.length === 0) return NO_SERVERS;
  const { McpServers } = await import("../mcp/mcp-servers.ts");
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

/** Warns once about each tool of an MCP server whose name another source has taken. */
export function takenWarning(
  onWarning: (message: string) => void,
): (name: string, by: ToolOrigin, origin: ToolOrigin) => void {
  const said = new Set<string>();
  return (name, by, origin) => {
    const line = `the tool ${name} of ${origin} is left out: ${by} has a tool of this name`;
    if (!/^mcp:/.test(origin) || said.has(line)) return;
    said.add(line);
    onWarning(line);
  };
}

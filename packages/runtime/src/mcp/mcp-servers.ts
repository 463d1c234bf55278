import type { AgentTool, ToolSource } from "@mdx-ai/loop";
import { type FindQuestions, hasGivenAnswers, ServerQuestions } from "@mdx-ai/sessions";
import type { AgentLog } from "../log/agent-log.ts";
import type { AgentOptions } from "../types/agent-options.ts";
import type { DeclaredServer } from "../types/mcp.ts";
import type { LoadedServers } from "./declared-servers.ts";
import { McpServer, type McpServerParts } from "./mcp-server.ts";

type ServerOptions = Pick<
  AgentOptions,
  | "waitsForServers"
  | "tokensDirectory"
  | "onServerQuestion"
  | "answersWithin"
  | "onSignIn"
  | "questionsDirectory"
  | "parent"
> &
  Required<Pick<AgentOptions, "clock" | "environment" | "onWarning" | "dataDirectory">>;

export interface OpenServersParts {
  /** The working directory of the agent's tools. Absolute. */
  readonly folder: string;
  readonly log: AgentLog;
  readonly questionsOf: FindQuestions;
  readonly before: LoadedServers | undefined;
}

/** The declared MCP servers of an agent. None is started. */
export function openServers(
  declared: readonly DeclaredServer[],
  options: ServerOptions,
  { folder, log, questionsOf, before }: OpenServersParts,
): LoadedServers {
  const { clock, environment, onWarning, tokensDirectory, onServerQuestion, onSignIn } = options;
  const { waitsForServers: waits = true, answersWithin } = options;
  const questions = new ServerQuestions(questionsOf);
  // Without a handler, a server would not ask again for a question that was answered meanwhile.
  const isAskedAbove = options.parent?.permissions.permissions.canAsk === true;
  const canAsk =
    onServerQuestion !== undefined || answersWithin !== undefined || areAnswersGiven(options) || isAskedAbove;
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

interface EarlierServers {
  readonly all: readonly McpServer[];
}

/** The `LoadedServers` of an agent with MCP servers. */
class McpServers {
  readonly all: readonly McpServer[];

  /** The servers of an earlier reading. Those with an unchanged declaration are kept. */
  constructor(declared: readonly DeclaredServer[], parts: McpServerParts, before?: EarlierServers) {
    this.all = declared.map(
      (server) =>
        before?.all.find((earlier) => Bun.deepEquals(earlier.declared, server)) ?? new McpServer(server, parts),
    );
  }

  sources(accepts: (name: string) => boolean, change: (tool: AgentTool) => AgentTool): readonly ToolSource[] {
    return this.all.map((server) => server.source(accepts, change));
  }

  connectEager(): void {
    for (const server of this.all) {
      if (server.definition.connect === "eager" && server.declared.skill === undefined) server.begin();
    }
  }

  async close(keptBy: readonly EarlierServers[] = []): Promise<void> {
    const kept = new Set(keptBy.flatMap(({ all }) => all));
    await Promise.all(this.all.filter((server) => !kept.has(server)).map((server) => server.close()));
  }
}

import { type FindQuestions, hasGivenAnswers, ServerQuestions } from "@mdx-ai/sessions";
import type { AgentLog } from "../log/agent-log.ts";
import type { AgentOptions } from "../types/agent-options.ts";
import type { DeclaredServer } from "../types/mcp.ts";
import { McpServer, type McpServerParts } from "./mcp-server.ts";

type ServerOptions = Pick<
  AgentOptions,
  | "connects"
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
  /** The servers of an earlier reading. Those with an unchanged declaration are kept. */
  readonly before: readonly McpServer[];
}

/** The declared MCP servers of an agent. None is started. */
export function openServers(
  declared: readonly DeclaredServer[],
  options: ServerOptions,
  { folder, log, questionsOf, before }: OpenServersParts,
): readonly McpServer[] {
  const { clock, environment, onWarning, tokensDirectory, onServerQuestion, onSignIn } = options;
  const { waitsForServers: waits = true, connects = true, answersWithin } = options;
  const questions = new ServerQuestions(questionsOf);
  // Without a handler, a server would not ask again for a question that was answered meanwhile.
  const isAskedAbove = options.parent?.permissions.permissions.canAsk === true;
  const canAsk =
    onServerQuestion !== undefined || answersWithin !== undefined || areAnswersGiven(options) || isAskedAbove;
  const parts: McpServerParts = {
    ...{ clock, waits, connects, environment, onWarning, roots: [folder] },
    ...(tokensDirectory !== undefined && { tokensDirectory }),
    onNote: (line) => log.note(line),
    ...(onSignIn && {
      onSignIn: (asked, signIn) => {
        onSignIn(asked.server, asked.url);
        void questions.signIn(asked, signIn);
      },
    }),
    ...(canAsk && { onQuestion: (asked, signal) => questions.ask(asked, signal) }),
  };
  return declared.map(
    (server) => before.find((earlier) => Bun.deepEquals(earlier.declared, server)) ?? new McpServer(server, parts),
  );
}

function areAnswersGiven({ questionsDirectory, dataDirectory }: ServerOptions): boolean {
  return questionsDirectory !== undefined && hasGivenAnswers({ questionsDirectory, dataDirectory });
}

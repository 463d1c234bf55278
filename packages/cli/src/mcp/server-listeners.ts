import { visibleText } from "@mdx-ai/base";
import type { AgentOptions } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";

interface ServerListenerOptions {
  readonly context: Pick<CommandContext, "stderr" | "environment" | "canAsk">;
  /** Shows a line, which may be untrusted. */
  readonly say: (line: string) => void;
  /** Suspends other output to the terminal while a question is open. */
  readonly still?: <Result>(question: () => Promise<Result>) => Promise<Result>;
  /** Whether the user may be asked. Default: whether there is a terminal. */
  readonly canAsk?: boolean;
}

/** Listeners for reports and questions of MCP servers outside of a conversation. Without a terminal, questions are declined. */
export function serverListeners({
  context,
  say,
  still = (question) => question(),
  canAsk = context.canAsk,
}: ServerListenerOptions): Pick<AgentOptions, "onSignIn" | "onServerQuestion"> {
  const onSignIn = (server: string, url: string): void => say(signInText(server, url));
  if (!canAsk) return { onSignIn };
  const { stderr, environment } = context;
  return {
    onSignIn,
    onServerQuestion: async (server, question, signal) => {
      const { answerWith } = await import("./ask-server-question.ts");
      const { askOnTerminal } = await import("../approval/ask-on-terminal.ts");
      const ask = answerWith((asked, stop) => askOnTerminal(asked, stop, { stderr, environment, still }));
      return ask(server, question, signal);
    },
  };
}

/** Where the user signs in to a server, as visible text. */
export const signInText = (server: string, url: string): string =>
  `the MCP server ${visibleText(server)} wants you to sign in; open ${visibleText(url)}`;

import { changeLine, contentsLines, type TrustAnswer, type TrustOptions, type TrustState } from "@mdx-ai/directory";
import { signInText } from "@mdx-ai/directory/views/prompt-lines";
import type { AgentOptions } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";

/**
 * How a command reads a directory: asks about trust on the terminal, as numbered lines if `isPlain` or if the terminal cannot move its
 * cursor. Shows what changed since the directory was trusted, else what it contains.
 */
export const trustOptions = (context: CommandContext, signal: AbortSignal, isPlain = false): TrustOptions => ({
  frontEnd: context,
  signal,
  askTrust: context.canAsk
    ? async (question) => {
        const { chooseAnswer } = await import("./choose-answer.ts");
        const { path, state, canKeep } = question;
        const asked = { path, note: noteText(state), question: questionOf(state), answers: answersOf(canKeep) };
        return chooseAnswer(asked, context, { signal: question.signal, isPlain });
      }
    : undefined,
});

const answersOf = (canKeep: boolean): readonly { readonly value: TrustAnswer; readonly label: string }[] => [
  { value: "no", label: "No" },
  { value: "once", label: "Yes, this once" },
  ...(canKeep ? [{ value: "always" as const, label: "Yes, from now on, until it changes" }] : []),
];

const questionOf = ({ changes }: TrustState): string =>
  changes.length > 0
    ? "What it may run has changed. Do you trust its current state?"
    : "An agent runs its own code as you. Do you trust this directory?";

function noteText({ changes, manifest }: TrustState): string {
  if (changes.length > 0) return ["Since you trusted it:", ...changes.map(changeLine)].join("\n");
  return [...contentsLines(manifest), "Its model may ask to run commands and to read and write files."].join("\n");
}

interface ServerListenerOptions {
  readonly context: Pick<CommandContext, "stderr" | "environment" | "canAsk">;
  /** Shows a line, which may be untrusted. */
  readonly say: (line: string) => void;
  /** Suspends other output to the terminal while a question is open. */
  readonly still?: <Result>(question: () => Promise<Result>) => Promise<Result>;
  /** Whether the user may be asked. Default: whether there is a terminal. */
  readonly canAsk?: boolean;
}

/** Listeners for reports and questions of MCP servers, and for reached limits, outside of a conversation. Without a terminal, questions are declined. */
export function serverListeners({
  context,
  say,
  still = (question) => question(),
  canAsk = context.canAsk,
}: ServerListenerOptions): Pick<AgentOptions, "onSignIn" | "onServerQuestion" | "onBudget"> {
  const onSignIn = (server: string, url: string): void => say(signInText(server, url));
  if (!canAsk) return { onSignIn };
  const { stderr, environment } = context;
  return {
    onSignIn,
    onBudget: async (budget, signal) => {
      const { budgetQuestion } = await import("../approval/budget-question.ts");
      const { askOnTerminal } = await import("../approval/ask-on-terminal.ts");
      const answer = await askOnTerminal(budgetQuestion(budget), signal, { stderr, environment, still });
      return { ...answer, by: "terminal" };
    },
    onServerQuestion: async (server, question, signal) => {
      const { answerWith } = await import("../mcp/ask-server-question.ts");
      const { askOnTerminal } = await import("../approval/ask-on-terminal.ts");
      const ask = answerWith((asked, stop) => askOnTerminal(asked, stop, { stderr, environment, still }));
      return ask(server, question, signal);
    },
  };
}

import { defined } from "@mdx-ai/base";
import type { AgentEvent, Answer, Question } from "@mdx-ai/loop";
import {
  answerHere,
  type QuestionBox,
  questionBox,
  SessionQuestions,
  type SessionQuestionsOptions,
} from "@mdx-ai/sessions";
import type { AgentOptions } from "../types/agent-options.ts";

type QuestionsOptions = Pick<
  AgentOptions,
  "onApproval" | "onBudget" | "onServerQuestion" | "questionsDirectory" | "answersWithin" | "parent"
> &
  Required<Pick<AgentOptions, "clock" | "dataDirectory">>;

interface AskingSession extends Pick<SessionQuestionsOptions, "redactor" | "clock" | "onWait"> {
  readonly id: string;
  /** Returns the session's key. */
  readonly key: () => string;
  readonly announce: (event: AgentEvent) => void;
}

/** The questions of a session of an open agent. `options` returns the agent's current options. */
export function openQuestions(options: () => QuestionsOptions, session: AskingSession): SessionQuestions {
  let known: { readonly key: string; readonly box: QuestionBox } | undefined;
  const boxIn = (questionsDirectory: string, key: string): QuestionBox => {
    if (known?.key !== key) known = { key, box: questionBox(questionsDirectory, options().dataDirectory, key) };
    return known.box;
  };
  return new SessionQuestions({
    session: session.id,
    clock: session.clock,
    redactor: session.redactor,
    box: () => {
      const { questionsDirectory } = options();
      return questionsDirectory === undefined ? undefined : boxIn(questionsDirectory, session.key());
    },
    here: (question) => askedParent(options(), question) ?? askedHere(options(), question),
    within: () => options().answersWithin,
    announce: session.announce,
    ...defined({ onWait: session.onWait }),
  });
}

function askedParent(
  { parent }: QuestionsOptions,
  question: Question,
): ((signal: AbortSignal) => Promise<Answer>) | undefined {
  const call = parent?.callOf(question.session);
  return call && ((signal) => call.ask(question, signal));
}

function askedHere(
  { onApproval, onBudget, onServerQuestion }: QuestionsOptions,
  question: Question,
): ((signal: AbortSignal) => Promise<Answer>) | undefined {
  switch (question.kind) {
    case "approval":
      return onApproval && (async (signal) => ({ by: "program", ...(await onApproval(question.request, signal)) }));
    case "budget":
      return onBudget && (async (signal) => ({ by: "program", ...(await onBudget(question, signal)) }));
    case "elicitation":
      return (
        onServerQuestion &&
        (async (signal) => answerHere(await onServerQuestion(question.server, question.request, signal)))
      );
    case "sign_in":
      return undefined;
  }
}

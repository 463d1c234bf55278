import { join } from "node:path";
import { sha256 } from "@mdx-ai/base";
import { realPlaceOrSame } from "@mdx-ai/base/disk";
import type { AgentOptions } from "../types/agent-options.ts";
import type { AgentEvent } from "../types/event.ts";
import type { Answer, Question } from "../types/question.ts";
import { QuestionBox } from "./question-box.ts";
import { answerHere } from "./server-questions.ts";
import { SessionQuestions, type SessionQuestionsOptions } from "./session-questions.ts";

type QuestionsOptions = Pick<AgentOptions, "onApproval" | "onServerQuestion" | "questionsDirectory" | "answersWithin"> &
  Required<Pick<AgentOptions, "clock" | "dataDirectory">>;

interface AskingSession extends Pick<SessionQuestionsOptions, "redactor"> {
  readonly id: string;
  /** Returns the session's key. */
  readonly key: () => string;
  readonly announce: (event: AgentEvent) => void;
}

/** The questions of a session of an open agent. `options` returns those of the agent as it is now. */
export const openQuestions = (options: () => QuestionsOptions, session: AskingSession): SessionQuestions =>
  new SessionQuestions({
    session: session.id,
    clock: options().clock,
    redactor: session.redactor,
    box: () => {
      const { questionsDirectory, dataDirectory } = options();
      return questionsDirectory === undefined
        ? undefined
        : questionBox(questionsDirectory, dataDirectory, session.key());
    },
    here: (question) => askedHere(options(), question),
    within: () => options().answersWithin,
    announce: session.announce,
  });

/** The box of a session, by its key: a session of a copied directory has another one. */
export const questionBox = (questionsDirectory: string, dataDirectory: string, key: string): QuestionBox =>
  new QuestionBox(join(questionsDirectory, sha256(`${realPlaceOrSame(dataDirectory)}\n${key}`).slice(0, 32)));

function askedHere(
  { onApproval, onServerQuestion }: QuestionsOptions,
  question: Question,
): ((signal: AbortSignal) => Promise<Answer>) | undefined {
  switch (question.kind) {
    case "approval":
      return onApproval && (async (signal) => ({ by: "program", ...(await onApproval(question.request, signal)) }));
    case "elicitation":
      return (
        onServerQuestion &&
        (async (signal) => answerHere(await onServerQuestion(question.server, question.request, signal)))
      );
    case "sign_in":
      return undefined;
  }
}

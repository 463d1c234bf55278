import { errorMessage, untilAborted } from "@mdx-ai/base";
import type { Answer, Question } from "../types/question.ts";
import type { Permissions } from "./permissions.ts";

/** Gives the user's answers to questions. Never rejects. */
type AnswerQuestion = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** The answers of the user who opened the agent, to the questions of a session, one after another. */
export const userAnswers =
  (permissions: Permissions, sessionKey: string): AnswerQuestion =>
  async (question, signal) => {
    const answer = (): Promise<Answer> => askUser(permissions, question, signal);
    // Neither an unanswered question nor the wait for its turn outlives the prompt.
    const ask = (): Promise<Answer> => untilAborted(answer, signal, () => STOPPED);
    try {
      return (await permissions.questionsOf(sessionKey).runUnlessAborted(signal, ask)) ?? STOPPED;
    } catch (error) {
      return { answer: "no", by: "failure", reason: errorMessage(error) };
    }
  };

async function askUser(
  { options: { onApproval } }: Permissions,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  if (signal.aborted) return STOPPED;
  if (question.kind !== "approval" || onApproval === undefined)
    return { answer: "no", by: "failure", reason: "nobody can be asked" };
  const answer = await onApproval(question.request, signal);
  // A late answer must not allow what the user has stopped.
  return signal.aborted ? STOPPED : { by: "program", ...answer };
}

const STOPPED: Answer = { answer: "no", by: "stop" };

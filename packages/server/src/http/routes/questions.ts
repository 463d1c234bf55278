import { defined } from "@mdx-ai/base";
import type { Question } from "@mdx-ai/loop";
import { fileStore, offeredNames, offeredWords, waitingQuestions } from "@mdx-ai/sessions";
import { jsonResponse, type Route, type SessionCall, sessionOf, withBody } from "../route.ts";
import { ANSWER } from "./schemas.ts";
import { SESSION } from "./sessions.ts";

export const QUESTION_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: `${SESSION}/questions`,
    summary: "List the questions that wait for an answer",
    answers: { 200: { description: "the questions, with the words that answer them", type: "application/json" } },
    async answer(call) {
      const found = await sessionOf(call);
      return jsonResponse(call, { questions: questionsOf(found).map(questionView) });
    },
  },
  {
    method: "POST",
    path: `${SESSION}/questions/{question}`,
    summary: "Answer a question",
    answers: { 200: { description: "the answer counts", type: "application/json" } },
    ...withBody(ANSWER, async (call, { answer, reason }) => {
      const { session } = await sessionOf(call);
      const id = call.parameters["question"] ?? "";
      await session.answer(id, answer, { by: "server", ...defined({ user: call.caller.user, reason }) });
      return jsonResponse(call, { id, session: session.id, answered: true });
    }),
  },
];

/** Those that wait in the server, and those of an earlier process whose prompt is not resumed. */
function questionsOf({ open, session }: SessionCall): readonly Question[] {
  const { questionsDirectory } = open.settings;
  const here = session.openQuestions;
  if (questionsDirectory === undefined || !fileStore(open).has(session.id)) return here;
  const waiting = waitingQuestions({ ...open, questionsDirectory }, { session: session.id, now: Date.now() });
  return [...here, ...waiting.filter(({ id }) => here.every((question) => question.id !== id))];
}

/** A question with its answers: words, and names of values as `name=value`. */
const questionView = (question: Question): object => ({
  ...question,
  ...(question.deadline !== undefined && { deadline: new Date(question.deadline).toISOString() }),
  answers: offeredWords(question),
  values: offeredNames(question),
});

import { attempt } from "@mdx-ai/base";
import type { AnswerWords, Question } from "@mdx-ai/loop";
import {
  AnsweredQuestionError,
  type Answering,
  answerWaiting,
  type OpenedSession,
  type SessionQuestions,
  type SessionStore,
  UnknownQuestionError,
} from "@mdx-ai/sessions";
import type { EventLog } from "./event-log.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { toolsFolder } from "./prompt-settings.ts";

/** A session whose questions are answered. */
interface AskingSession {
  readonly id: string;
  readonly cwd: string | undefined;
  readonly loaded: LoadedAgent;
  readonly services: { readonly store: SessionStore };
  readonly questions: SessionQuestions;
  readonly events: EventLog;
  open(): OpenedSession;
}

/** The hooks of modules see a question and may answer it with no. Never rejects. */
export async function askHooks(session: AskingSession, question: Question): Promise<void> {
  const { modules, options, permissions } = session.loaded;
  const { key } = session.open();
  const about = { session: session.id, sessionKey: key, cwd: session.cwd ?? toolsFolder(options) };
  const { deny } = await modules.hooks.onQuestion({ ...about, mode: permissions.modeOf(key), question });
  // Unless it is answered already.
  if (deny) attempt(() => session.questions.answer(question.id, "no", { by: "program", reason: deny.reason }));
}

/** As `Session.answer`. */
export async function answerQuestion(
  session: AskingSession,
  id: string,
  given: Answering & { readonly words: AnswerWords },
): Promise<void> {
  const { words, ...answering } = given;
  try {
    session.questions.answer(id, words, answering);
  } catch (error) {
    if (!(error instanceof UnknownQuestionError)) throw error;
    if (await session.events.hasAnswer(id)) throw new AnsweredQuestionError(id);
    const { questionsDirectory, dataDirectory, clock } = session.loaded.options;
    if (questionsDirectory === undefined || !session.services.store.has(session.id)) throw error;
    // An earlier process asked it: the process that resumes its prompt takes the answer.
    answerWaiting({ questionsDirectory, dataDirectory }, { ...given, id, session: session.id, now: clock.now() });
  }
}

import { attempt, type JsonObject } from "@mdx-ai/base";
import type { Answer, AnswerWords, Question } from "@mdx-ai/loop";
import { sessionFolder, sessionHolder, sessionNames, sessionsFolder } from "../session/session-folder.ts";
import { readSessionKey } from "../session/session-key.ts";
import { type Answering, answerOf } from "./answer-words.ts";
import { BESIDE, type QuestionBox, questionBox } from "./question-box.ts";
import { AnswerError, AnsweredQuestionError, UnknownQuestionError } from "./question-errors.ts";

/** The folders of an agent's sessions and of their open questions. Absolute. */
export interface QuestionFolders {
  readonly dataDirectory: string;
  readonly questionsDirectory: string;
}

interface Asked {
  /** All sessions if undefined. */
  readonly session: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The open questions in all sessions of an agent, or in one, whether or not a process runs them. Questions whose
 * deadline has passed are not open.
 * Throws `SessionIdError`, `UnknownSessionError` or `NewerVersionError`.
 */
export const waitingQuestions = (folders: QuestionFolders, { session, now }: Asked): readonly Question[] =>
  boxesOf(folders, session)
    .flatMap((box) => [...openIn(box).values()].flatMap((value) => (isQuestion(value) ? [value] : [])))
    .filter(({ deadline = now + 1 }) => deadline > now);

/** The open questions of a session, without questions that ended with their process. */
function openIn({ box, isRunning }: SessionBox): ReadonlyMap<string, JsonObject> {
  const open = box.open();
  return isRunning ? open : new Map([...open].filter(([id]) => !id.startsWith(BESIDE)));
}

/** Whether sessions of an agent have answers that were given while no process ran them. Never throws. */
export const hasGivenAnswers = (folders: QuestionFolders): boolean =>
  attempt(() => boxesOf(folders).some(({ box }) => box.hasAnswers)) ?? false;

export interface GivenAnswer extends Partial<Answering> {
  readonly id: string;
  readonly words: AnswerWords;
  /** Required only if questions of several sessions have this id. */
  readonly session?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Answers a question from outside the process that runs the session; default: by a command. Returns the question and its answer. Throws
 * `UnknownQuestionError`, `AnsweredQuestionError`, `AnswerError`, or as `waitingQuestions` does.
 */
export function answerWaiting(
  folders: QuestionFolders,
  { id, words, session, now, by = "command", ...answering }: GivenAnswer,
): { readonly question: Question; readonly answer: Answer } {
  const boxes = boxesOf(folders, session);
  const found = boxes.flatMap((one) => {
    const question = openIn(one).get(id);
    return question !== undefined && isQuestion(question) ? [{ box: one.box, question }] : [];
  });
  const [first, second] = found;
  if (first === undefined) throw notWaiting(id, session, boxes);
  if (second !== undefined) {
    const names = found.map(({ question }) => question.session).join(", ");
    throw new AnswerError(`question ${id} is waiting in several sessions; name one with --session: ${names}`);
  }
  const { question, box } = first;
  if (question.deadline !== undefined && question.deadline <= now) {
    throw new AnswerError(
      `question ${id} had to be answered by ${new Date(question.deadline).toISOString()}; its answer is no`,
    );
  }
  const answer = answerOf(question, words, { by, ...answering });
  if (!box.answer(id, answer)) throw new AnsweredQuestionError(id);
  return { question, answer };
}

interface SessionBox {
  readonly box: QuestionBox;
  /** Whether a process runs the session. */
  readonly isRunning: boolean;
}

function boxesOf({ dataDirectory, questionsDirectory }: QuestionFolders, session?: string): readonly SessionBox[] {
  if (session !== undefined) sessionFolder(dataDirectory, session);
  const names = session === undefined ? sessionNames(sessionsFolder(dataDirectory)).toSorted() : [session];
  return names.flatMap((name) => {
    const key = readSessionKey(sessionFolder(dataDirectory, name));
    if (key === undefined) return [];
    const isRunning = sessionHolder(dataDirectory, name) !== undefined;
    return [{ box: questionBox(questionsDirectory, dataDirectory, key), isRunning }];
  });
}

function notWaiting(id: string, session: string | undefined, boxes: readonly SessionBox[]): Error {
  if (boxes.some(({ box }) => attempt(() => box.answerTo(id)) !== undefined)) return new AnsweredQuestionError(id);
  const open = boxes.flatMap((box) => [...openIn(box).keys()]);
  return new UnknownQuestionError(id, session, open);
}

/** A shallow check is enough: this program wrote the file, in a private folder of the user. */
function isQuestion(value: JsonObject | Question): value is Question {
  return typeof value["id"] === "string" && typeof value["session"] === "string" && typeof value["kind"] === "string";
}

import { attempt, type JsonObject } from "@mdx-ai/base";
import type { Answer, AnswerWords, Question } from "@mdx-ai/loop";
import { sessionFolder, sessionNames, sessionsFolder } from "../session/session-folder.ts";
import { readSessionKey } from "../session/session-key.ts";
import { sessionHolder } from "../session/session-lock.ts";
import { answerOf } from "./answer-words.ts";
import { BESIDE, type QuestionBox, questionBox } from "./question-box.ts";
import { AnswerError, AnsweredQuestionError, UnknownQuestionError } from "./question-errors.ts";

/** Where the sessions of an agent and their open questions are. Both absolute. */
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
 * The questions that wait for an answer in all sessions of an agent, or in one, whether or not a process runs them. One whose
 * deadline has passed has its answer.
 * Throws `SessionIdError`, `UnknownSessionError` or `NewerVersionError`.
 */
export const waitingQuestions = (folders: QuestionFolders, { session, now }: Asked): readonly Question[] =>
  boxesOf(folders, session)
    .flatMap((box) => [...openIn(box).values()].flatMap((value) => (isQuestion(value) ? [value] : [])))
    .filter(({ deadline = now + 1 }) => deadline > now);

/** The open questions of a session, without those that ended with the process that asked. */
function openIn({ box, isRunning }: SessionBox): ReadonlyMap<string, JsonObject> {
  const open = box.open();
  return isRunning ? open : new Map([...open].filter(([id]) => !id.startsWith(BESIDE)));
}

/** Whether answers were given in sessions of an agent while no process ran them. Never throws. */
export const hasGivenAnswers = (folders: QuestionFolders): boolean =>
  attempt(() => boxesOf(folders).some(({ box }) => box.hasAnswers)) ?? false;

export interface GivenAnswer {
  readonly id: string;
  readonly words: AnswerWords;
  /** With "no": the user's words for the model. */
  readonly reason?: string | undefined;
  /** Needed only if questions of several sessions have this id. */
  readonly session?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Answers a question of a session from outside of the process that runs it, if one does. Returns the question and its answer. Throws
 * `UnknownQuestionError`, `AnsweredQuestionError`, `AnswerError`, or as `waitingQuestions` does.
 */
export function answerWaiting(
  folders: QuestionFolders,
  { id, words, reason, session, now }: GivenAnswer,
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
  const answer = answerOf(question, words, "command", reason);
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

/** What the box has was written by this program, in a folder of the user's own. */
function isQuestion(value: JsonObject | Question): value is Question {
  return typeof value["id"] === "string" && typeof value["session"] === "string" && typeof value["kind"] === "string";
}

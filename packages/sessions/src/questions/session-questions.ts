import {
  attempt,
  type Clock,
  errorMessage,
  type JsonObject,
  type Redactor,
  Semaphore,
  sortedJson,
  whenAborted,
} from "@mdx-ai/base";
import {
  type AgentEvent,
  type Answer,
  type AnswerWords,
  type AskingCall,
  deadlineOf,
  type Question,
  type QuestionSubject,
  STEPS,
} from "@mdx-ai/loop";
import { answerOf } from "./answer-words.ts";
import { BESIDE, type QuestionBox } from "./question-box.ts";
import { AnsweredQuestionError, UnknownQuestionError } from "./question-errors.ts";

/** Asks somebody in this process. Rejects when `signal` fires. */
type AskHere = (signal: AbortSignal) => Promise<Answer>;

export interface SessionQuestionsOptions {
  readonly session: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** The box of the session, in which other processes answer; undefined if its questions are kept nowhere. */
  readonly box: () => QuestionBox | undefined;
  /** Who can be asked here; undefined if nobody. */
  readonly here: (question: Question) => AskHere | undefined;
  /** The seconds that a question waits for an answer from anywhere; undefined if it does not wait. */
  readonly within: () => number | undefined;
  /** Receives the events of questions that are no steps of a prompt. */
  readonly announce: (event: AgentEvent) => void;
}

interface BesideOptions {
  /** Whether the answer to another question has settled this one. */
  readonly isSettled?: () => boolean;
  /** Who answers it here, if it is not the user who answers the others. */
  readonly here?: AskHere;
  /** The call that asks, if that is known. Its question and the answer are kept until the prompt ends: the call may run again. */
  readonly asking?: AskingCall | undefined;
}

interface OpenQuestion {
  readonly question: Question;
  readonly given: PromiseWithResolvers<Answer>;
}

/**
 * The questions of a session to its user, one after another. The first answer counts, whoever gives it: the user at the terminal, a
 * reader of the session's events, a command in another process, or the deadline.
 */
export class SessionQuestions {
  readonly #options: SessionQuestionsOptions;
  readonly #turn = new Semaphore();
  readonly #open = new Map<string, OpenQuestion>();
  /** The numbers of questions that calls have asked, by the ids of the calls. */
  readonly #asked = new Map<string, number>();
  /** The box without the questions of processes that have ended. */
  #box: QuestionBox | undefined;

  constructor(options: SessionQuestionsOptions) {
    this.#options = options;
  }

  /** Those that wait for an answer. */
  get open(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** Answers an open question. Throws `UnknownQuestionError`, `AnsweredQuestionError` or `AnswerError`. */
  answer(id: string, words: AnswerWords): void {
    const open = this.#open.get(id);
    if (open === undefined) throw new UnknownQuestionError(id, this.#options.session, [...this.#open.keys()]);
    const { question, given } = open;
    const answer = answerOf(question, words, "program");
    const isFirst = this.#currentBox()?.answer(id, { ...answer }) ?? true;
    if (!isFirst) throw new AnsweredQuestionError(id);
    given.resolve(answer);
  }

  /** The answer to a question. Never rejects; a stopped prompt answers "no", by "stop". */
  ask(question: Question, signal: AbortSignal): Promise<Answer> {
    return this.#inTurn(() => this.#answerTo(question, signal), signal);
  }

  /**
   * Asks beside the steps of a prompt, such as for a command that runs. Never rejects. If the question is settled when its turn comes,
   * the answer is "no", by "stop". A sign-in waits for no turn: it is answered in the browser.
   */
  askBeside(
    subject: QuestionSubject,
    signal: AbortSignal,
    { isSettled = () => false, here, asking }: BesideOptions = {},
  ): Promise<Answer> {
    const { announce } = this.#options;
    const ask = async (): Promise<Answer> => {
      if (isSettled()) return STOPPED;
      const question = this.#questionOf(subject, asking);
      announce({ type: "question_asked", question });
      const answer = await this.#answerTo(question, signal, here);
      announce({ type: "question_answered", questionId: question.id, answer });
      if (asking === undefined) this.forget(question.id);
      return answer;
    };
    if (subject.kind === "sign_in") return answered(ask);
    const inTurn = (): Promise<Answer> => this.#inTurn(ask, signal);
    const { waiting } = asking ?? {};
    return waiting ? answered(() => waiting(inTurn)) : inTurn();
  }

  #inTurn(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    return answered(async () => (await this.#turn.runUnlessAborted(signal, ask)) ?? STOPPED);
  }

  /** The answer to a question is kept elsewhere, or nobody needs it: it leaves the box. */
  forget(id: string): void {
    this.#currentBox()?.remove(id);
  }

  /** The same for all questions of a prompt that has ended. `isResumed`: earlier processes may have asked some. */
  forgetPrompt(prompt: number, isResumed: boolean): void {
    if (!isResumed && this.#asked.size === 0) return;
    this.#asked.clear();
    this.#currentBox()?.removeAll(`${prompt}.`);
  }

  #currentBox(): QuestionBox | undefined {
    const box = this.#options.box();
    if (box !== this.#box) box?.removeAll(BESIDE);
    this.#box = box;
    return box;
  }

  /** A call that runs again asks under the same ids, with the deadlines of before. */
  #questionOf(subject: QuestionSubject, asking: AskingCall | undefined): Question {
    const { session, within, clock } = this.#options;
    const deadline = deadlineOf(within(), clock);
    const id = asking === undefined ? `${BESIDE}${crypto.randomUUID().slice(0, 8)}` : this.#nextOf(asking);
    const question: Question = { id, session, ...subject, default: "no" };
    const kept = asking && this.#currentBox()?.question(id)?.["deadline"];
    const before: Question = typeof kept === "number" ? { ...question, deadline: kept } : question;
    if (asking && this.#isKept(before)) return before;
    return deadline === undefined ? question : { ...question, deadline };
  }

  #nextOf({ id }: AskingCall): string {
    const number = (this.#asked.get(id) ?? 0) + 1;
    this.#asked.set(id, number);
    return `${id}.${number}`;
  }

  /** Whether the box has this very question: the answer to another one of its id counts for nothing. */
  #isKept(question: Question): boolean {
    const kept = this.#currentBox()?.question(question.id);
    return kept !== undefined && sortedJson(kept) === sortedJson(this.#options.redactor.value(question));
  }

  async #answerTo(question: Question, signal: AbortSignal, by?: AskHere): Promise<Answer> {
    if (signal.aborted) return STOPPED;
    const { here, within, clock } = this.#options;
    const earlier = this.#isKept(question) ? readAnswer(this.#currentBox()?.answerTo(question.id)) : undefined;
    if (earlier !== undefined) return earlier;
    if (question.deadline !== undefined && question.deadline <= clock.now()) return LATE;
    const askHere = by ?? here(question);
    if (askHere === undefined && within() === undefined) return NOBODY;
    const box = this.#post(question, askHere !== undefined);
    const given = Promise.withResolvers<Answer>();
    this.#open.set(question.id, { question, given });
    const stop = new AbortController();
    using _stopped = whenAborted(signal, () => given.resolve(STOPPED));
    const ends =
      question.deadline === undefined ? [] : [clock.after(question.deadline - clock.now(), () => given.resolve(LATE))];
    try {
      if (box) ends.push(box.watch(question.id, (kept) => given.resolve(readAnswer(kept) ?? NOBODY)));
      askHere?.(AbortSignal.any([signal, stop.signal])).then(given.resolve, given.reject);
      return firstIn(box, question, await given.promise);
    } finally {
      stop.abort();
      for (const end of ends) end();
      this.#open.delete(question.id);
    }
  }

  /** Puts a question into the box, without an answer to an earlier one of its id. Who can be asked here is asked without the box if it fails. */
  #post(question: Question, canAskHere: boolean): QuestionBox | undefined {
    const box = this.#currentBox();
    if (box === undefined || this.#isKept(question)) return box;
    try {
      box.remove(question.id);
      box.post(question.id, this.#options.redactor.value(question));
      return box;
    } catch (error) {
      if (canAskHere) return undefined;
      throw error;
    }
  }
}

/** The answer of whoever was first: another process may have answered meanwhile. */
function firstIn(box: QuestionBox | undefined, { id }: Question, answer: Answer): Answer {
  if (box === undefined || answer.by === "stop" || answer.by === "failure") return answer;
  const isFirst = attempt(() => box.answer(id, { ...answer })) ?? true;
  return isFirst ? answer : (readAnswer(attempt(() => box.answerTo(id))) ?? answer);
}

async function answered(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    return { answer: "no", by: "failure", reason: errorMessage(error) };
  }
}

const STOPPED: Answer = { answer: "no", by: "stop" };
const LATE: Answer = { answer: "no", by: "deadline" };
const NOBODY: Answer = { answer: "no", by: "failure", reason: "nobody can be asked" };

function readAnswer(kept: JsonObject | undefined): Answer | undefined {
  return kept !== undefined && STEPS.answer.accepts(kept) ? kept : undefined;
}

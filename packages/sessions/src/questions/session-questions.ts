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
import { type Answering, answerOf } from "./answer-words.ts";
import { BESIDE, type QuestionBox } from "./question-box.ts";
import { AnsweredQuestionError, UnknownQuestionError } from "./question-errors.ts";

/** Asks the user of this process. Rejects when `signal` fires. */
type AskHere = (signal: AbortSignal) => Promise<Answer>;

export interface SessionQuestionsOptions {
  readonly session: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** The box in which other processes answer; undefined if questions are not stored. */
  readonly box: () => QuestionBox | undefined;
  /** Asks in this process; undefined if no one can be asked here. */
  readonly here: (question: Question) => AskHere | undefined;
  /** The seconds that a question waits for an answer from any source; undefined if it does not wait. */
  readonly within: () => number | undefined;
  /** Called when a question waits for its answer. Must not throw. */
  readonly onWait?: (question: Question) => void;
  /** Receives the events of questions outside the steps of a prompt. */
  readonly announce: (event: AgentEvent) => void;
}

interface BesideOptions {
  /** Whether another answer has made this question unnecessary. */
  readonly isSettled?: () => boolean;
  /** Asks in this process, in place of the usual way. */
  readonly here?: AskHere;
  /** The asking call, if known. Its question and answer are stored until the prompt ends, since the call may run again. */
  readonly asking?: AskingCall | undefined;
  /** The agent that asks through its parent's session. */
  readonly agent?: string;
}

interface OpenQuestion {
  readonly question: Question;
  readonly given: PromiseWithResolvers<Answer>;
  /** Whether other processes can answer it, too. */
  isPosted: boolean;
}

/**
 * The questions of a session to its user, one at a time. The first answer counts, from any source: the user at the terminal, a
 * reader of the session's events, a command in another process, or the deadline.
 */
export class SessionQuestions {
  readonly #options: SessionQuestionsOptions;
  readonly #turn = new Semaphore();
  /** From the event that reports a question, so that its readers can answer at once. */
  readonly #open = new Map<string, OpenQuestion>();
  readonly #answered = new Set<string>();
  /** How many questions each call has asked, by call id. */
  readonly #asked = new Map<string, number>();
  /** The box, after removing the questions of ended processes. */
  #box: QuestionBox | undefined;

  constructor(options: SessionQuestionsOptions) {
    this.#options = options;
  }

  /** The open questions. */
  get open(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** Answers an open question. Default: the program answers. Throws `UnknownQuestionError`, `AnsweredQuestionError` or `AnswerError`. */
  answer(id: string, words: AnswerWords, answering: Answering = { by: "program" }): void {
    const open = this.#open.get(id);
    if (this.#answered.has(id)) throw new AnsweredQuestionError(id);
    if (open === undefined) throw new UnknownQuestionError(id, this.#options.session, [...this.#open.keys()]);
    const { question, given, isPosted } = open;
    const answer = answerOf(question, words, answering);
    const isFirst = (isPosted ? this.#currentBox()?.answer(id, { ...answer }) : undefined) ?? true;
    if (!isFirst) throw new AnsweredQuestionError(id);
    this.#answered.add(id);
    given.resolve(answer);
  }

  /** Receives each event of the session. */
  note(event: AgentEvent): void {
    if (event.type === "question_asked") this.#opened(event.question);
    if (event.type !== "question_answered") return;
    this.#open.delete(event.questionId);
    this.#answered.add(event.questionId);
  }

  /** The same question may be asked again, for example after a resume. */
  #opened(question: Question): OpenQuestion {
    const known = this.#open.get(question.id);
    if (known !== undefined) return known;
    const open = { question, given: Promise.withResolvers<Answer>(), isPosted: false };
    this.#open.set(question.id, open);
    this.#answered.delete(question.id);
    return open;
  }

  /** The answer to a question. Never rejects; a stopped prompt answers "no", by "stop". */
  ask(question: Question, signal: AbortSignal): Promise<Answer> {
    return this.#inTurn(() => this.#answerTo(question, signal), signal);
  }

  /**
   * Asks outside the steps of a prompt, for example about a running command. Never rejects. If the question is no longer needed when its turn comes,
   * the answer is "no", by "stop". A sign-in is asked at once: it is answered in the browser.
   */
  askBeside(
    subject: QuestionSubject,
    signal: AbortSignal,
    { isSettled = () => false, here, asking, agent }: BesideOptions = {},
  ): Promise<Answer> {
    const { announce } = this.#options;
    const ask = async (): Promise<Answer> => {
      if (isSettled()) return STOPPED;
      const question = this.#questionOf(subject, asking, agent);
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

  /** Removes a question from the box, once its answer is stored elsewhere or not needed. */
  forget(id: string): void {
    this.#currentBox()?.remove(id);
  }

  /** The same for all questions of a prompt that has ended. `isResumed`: earlier processes may have asked some. */
  forgetPrompt(prompt: number, isResumed: boolean): void {
    for (const id of this.#open.keys()) if (id.startsWith(`${prompt}.`)) this.#open.delete(id);
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

  /** A repeated call asks with the same ids and the earlier deadlines. */
  #questionOf(subject: QuestionSubject, asking: AskingCall | undefined, agent: string | undefined): Question {
    const { session, within, clock } = this.#options;
    const deadline = deadlineOf(within(), clock);
    const id = asking === undefined ? `${BESIDE}${crypto.randomUUID().slice(0, 8)}` : this.#nextOf(asking);
    const question: Question = { id, session, ...(agent !== undefined && { agent }), ...subject, default: "no" };
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

  /** Whether the box has exactly this question: an answer to another question with its id does not count. */
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
    const open = this.#opened(question);
    const { given } = open;
    open.isPosted = box !== undefined;
    const stop = new AbortController();
    using _stopped = whenAborted(signal, () => given.resolve(STOPPED));
    const ends =
      question.deadline === undefined ? [] : [clock.after(question.deadline - clock.now(), () => given.resolve(LATE))];
    this.#options.onWait?.(question);
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

  /** Puts a question into the box and removes an answer to an earlier one with its id. On failure, the question is asked in this process only. */
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

/** The first answer: another process may have answered meanwhile. */
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
const NOBODY: Answer = { answer: "no", by: "failure", reason: "no user can be asked" };

function readAnswer(kept: JsonObject | undefined): Answer | undefined {
  return kept !== undefined && STEPS.answer.accepts(kept) ? kept : undefined;
}

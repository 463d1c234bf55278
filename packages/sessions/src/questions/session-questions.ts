import { type Clock, errorMessage, type JsonObject, type Redactor, Semaphore, whenAborted } from "@mdx-ai/base";
import {
  type AgentEvent,
  type Answer,
  type AnswerWords,
  deadlineOf,
  type Question,
  type QuestionSubject,
  STEPS,
} from "@mdx-ai/loop";
import { answerOf } from "./answer-words.ts";
import type { QuestionBox } from "./question-box.ts";
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
    const isFirst = this.#options.box()?.answer(id, { ...answer }) ?? true;
    if (!isFirst) throw new AnsweredQuestionError(id);
    given.resolve(answer);
  }

  /** The answer to a question. Never rejects; a stopped prompt answers "no", by "stop". */
  ask(question: Question, signal: AbortSignal): Promise<Answer> {
    return this.#inTurn(() => this.#asked(question, signal), signal);
  }

  /**
   * Asks beside the steps of a prompt, such as for a command that runs. Never rejects. If the question is settled when its turn comes,
   * the answer is "no", by "stop".
   */
  askBeside(
    subject: QuestionSubject,
    signal: AbortSignal,
    { isSettled = () => false, here }: BesideOptions = {},
  ): Promise<Answer> {
    const { announce } = this.#options;
    const ask = async (): Promise<Answer> => {
      if (isSettled()) return STOPPED;
      const question = this.#questionOf(subject);
      announce({ type: "question_asked", question });
      const answer = await this.#asked(question, signal, here);
      announce({ type: "question_answered", questionId: question.id, answer });
      this.forget(question.id);
      return answer;
    };
    return this.#inTurn(ask, signal);
  }

  async #inTurn(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    try {
      return (await this.#turn.runUnlessAborted(signal, ask)) ?? STOPPED;
    } catch (error) {
      return { answer: "no", by: "failure", reason: errorMessage(error) };
    }
  }

  /** The answer to a question is kept elsewhere, or nobody needs it: it leaves the box. */
  forget(id: string): void {
    this.#options.box()?.remove(id);
  }

  /** The same for all questions of a prompt that has ended. */
  forgetPrompt(prompt: number): void {
    const box = this.#options.box();
    for (const id of box?.open().keys() ?? []) if (id.startsWith(`${prompt}.`)) box?.remove(id);
  }

  #questionOf(subject: QuestionSubject): Question {
    const { session, within, clock } = this.#options;
    const deadline = deadlineOf(within(), clock);
    const id = `q-${crypto.randomUUID().slice(0, 8)}`;
    return { id, session, ...subject, ...(deadline !== undefined && { deadline }), default: "no" };
  }

  async #asked(question: Question, signal: AbortSignal, by?: AskHere): Promise<Answer> {
    if (signal.aborted) return STOPPED;
    const { box: boxOf, here, within, clock, redactor } = this.#options;
    const box = boxOf();
    const earlier = readAnswer(box?.answerTo(question.id));
    if (earlier !== undefined) return earlier;
    const askHere = by ?? here(question);
    if (askHere === undefined && within() === undefined) return NOBODY;
    const given = Promise.withResolvers<Answer>();
    this.#open.set(question.id, { question, given });
    const stop = new AbortController();
    using _stopped = whenAborted(signal, () => given.resolve(STOPPED));
    const ends =
      question.deadline === undefined
        ? []
        : [clock.after(Math.max(0, question.deadline - clock.now()), () => given.resolve(LATE))];
    try {
      box?.post(question.id, redactor.value(question));
      if (box) ends.push(box.watch(question.id, (kept) => given.resolve(readAnswer(kept) ?? NOBODY)));
      askHere?.(AbortSignal.any([signal, stop.signal])).then(given.resolve, given.reject);
      return await given.promise;
    } finally {
      stop.abort();
      for (const end of ends) end();
      this.#open.delete(question.id);
    }
  }
}

const STOPPED: Answer = { answer: "no", by: "stop" };
const LATE: Answer = { answer: "no", by: "deadline" };
const NOBODY: Answer = { answer: "no", by: "failure", reason: "nobody can be asked" };

function readAnswer(kept: JsonObject | undefined): Answer | undefined {
  return kept !== undefined && STEPS.answer.accepts(kept) ? kept : undefined;
}

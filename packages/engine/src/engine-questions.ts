import type { AnswerWords, Question } from "@mdx-ai/loop";
import type { SessionQuestions } from "@mdx-ai/sessions";
import {
  AnswerError,
  AnsweredQuestionError,
  type Answering,
  JournalError,
  UnknownQuestionError,
} from "@mdx-ai/sessions";
import { type GivenAnswer, isAnswerOutcome } from "./protocol.ts";
import type { EngineSessions } from "./shared-sessions.ts";

/** The questions of a session of the engine: those that its controller keeps, and those that a step of this process asks. */
export class EngineQuestions {
  readonly #id: string;
  readonly #sessions: EngineSessions;

  constructor(id: string, sessions: EngineSessions) {
    this.#id = id;
    this.#sessions = sessions;
  }

  /** As of the last refresh. */
  get open(): readonly Question[] {
    const waiting = Object.values(this.#sessions.stateOf(this.#id).questions);
    const here = this.#here.open.filter(({ id }) => waiting.every((question) => question.id !== id));
    return [...waiting, ...here];
  }

  /** As `Session.answer`. */
  async answer(id: string, words: AnswerWords, answering: Answering): Promise<void> {
    const { by, user, reason } = answering;
    const given: GivenAnswer = {
      ...{ id, words, by },
      ...(user !== undefined && { user }),
      ...(reason !== undefined && { reason }),
    };
    const answer = await this.#sessions.call(this.#id, "answer", given);
    if (!isAnswerOutcome(answer)) throw new JournalError(`the engine does not say what became of the answer to ${id}`);
    switch (answer.outcome) {
      case "answered":
        return;
      case "late":
        throw new AnsweredQuestionError(id);
      case "refused":
        throw new AnswerError(answer.message);
      case "unknown":
        if (!this.#here.open.some((question) => question.id === id))
          throw new UnknownQuestionError(id, this.#id, answer.open);
        this.#here.answer(id, words, answering);
    }
  }

  get #here(): SessionQuestions {
    return this.#sessions.hosted(this.#id).questions;
  }
}

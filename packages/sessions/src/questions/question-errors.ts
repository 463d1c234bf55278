/** No question of this id waits for an answer in a session, or in any. */
export class UnknownQuestionError extends Error {
  override readonly name = "UnknownQuestionError";

  constructor(id: string, session: string | undefined, open: readonly string[]) {
    const others = open.length === 0 ? "none is open" : `open: ${open.join(", ")}`;
    super(
      `no question ${id} is waiting for an answer in ${session === undefined ? "any session" : `session ${session}`}; ${others}`,
    );
  }
}

/** A question has its answer already. */
export class AnsweredQuestionError extends Error {
  override readonly name = "AnsweredQuestionError";

  constructor(id: string) {
    super(`question ${id} is answered already`);
  }
}

/** Words that are no answer to a question. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

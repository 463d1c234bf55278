/** No open question has this id, in one session or in any. */
export class UnknownQuestionError extends Error {
  override readonly name = "UnknownQuestionError";

  constructor(id: string, session: string | undefined, open: readonly string[]) {
    const others = open.length === 0 ? "none is open" : `open: ${open.join(", ")}`;
    super(
      `no question ${id} is waiting for an answer in ${session === undefined ? "any session" : `session ${session}`}; ${others}`,
    );
  }
}

/** A question is answered already. */
export class AnsweredQuestionError extends Error {
  override readonly name = "AnsweredQuestionError";

  constructor(id: string) {
    super(`question ${id} has already been answered`);
  }
}

/** Words that do not answer a question. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

/** An entry that may answer a question. Its words are numbers in a vocabulary. */
export interface Candidate {
  readonly number: number;
  readonly session: string;
  /** Position within the session. */
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether the entry asks a question, mentions a time, contains a number. */
  readonly asks: boolean;
  readonly hasTime: boolean;
  readonly hasNumber: boolean;
  /** In order; stop words are `STOPPED`. */
  readonly text: Int32Array;
  readonly summary: Int32Array;
  readonly speaker: Int32Array;
}

/** The indexes of the entries before and after each candidate; -1 if unknown. */
export interface Neighbours {
  readonly before: Int32Array;
  readonly secondBefore: Int32Array;
  readonly after: Int32Array;
  readonly secondAfter: Int32Array;
}

/** Finds the candidates' neighbours among the candidates. */
export function neighboursOf(candidates: readonly Candidate[]): Neighbours {
  const sessions = new Map<string, Map<number, number>>();
  for (const [at, { session, position }] of candidates.entries()) {
    const positions = sessions.get(session) ?? new Map<number, number>();
    sessions.set(session, positions.set(position, at));
  }
  const beside = (offset: number): Int32Array =>
    Int32Array.from(candidates, ({ session, position }) => sessions.get(session)?.get(position + offset) ?? -1);
  return { before: beside(-1), secondBefore: beside(-2), after: beside(1), secondAfter: beside(2) };
}

/** How much a difference matters to the reviewer of the earlier state. */
export type Grade =
  /** It may do more. */
  | "widened"
  /** It does something else, which may be more. */
  | "changed"
  /** It may do less. */
  | "narrowed"
  /** Texts, models and other things that grant no power. */
  | "noted";

/** A difference between two states of an agent. */
export interface Difference {
  readonly grade: Grade;
  /** Such as `tool "greet"`. */
  readonly subject: string;
  /** Such as "network + evil.com" or "parameter times: type string → number"; one line. */
  readonly text: string;
}

/** Whether code, schemas or permissions widened or changed. */
export const needsReview = ({ grade }: Difference): boolean => grade === "widened" || grade === "changed";

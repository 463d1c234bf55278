import type { Paint } from "../../output/paint.ts";
import { plainLine } from "../../plain-text.ts";

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

const COLOURS: Readonly<Record<Grade, "red" | "yellow" | "green" | "dim">> = {
  widened: "red",
  changed: "yellow",
  narrowed: "green",
  noted: "dim",
};

/** Differences as lines for people, the most important first. Empty if there are none. */
export function differencesText(differences: readonly Difference[], paint: Paint): string {
  const grades: readonly Grade[] = ["widened", "changed", "narrowed", "noted"];
  return grades
    .flatMap((grade) => differences.filter((difference) => difference.grade === grade))
    .map(
      ({ grade, subject, text }) => `${paint(COLOURS[grade], grade.padEnd(8))}  ${plainLine(`${subject}: ${text}`)}\n`,
    )
    .join("");
}

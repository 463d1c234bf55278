import type { Paint } from "../../output/paint.ts";
import { plainLine } from "../../plain-text.ts";
import type { Difference, Grade } from "./difference.ts";

const COLOURS: Readonly<Record<Grade, "red" | "yellow" | "green" | "dim">> = {
  widened: "red",
  changed: "yellow",
  narrowed: "green",
  noted: "dim",
};

/** Differences as lines for people, those that matter most first. Ends with a newline, unless there is none. */
export function differencesText(differences: readonly Difference[], paint: Paint): string {
  const grades: readonly Grade[] = ["widened", "changed", "narrowed", "noted"];
  return grades
    .flatMap((grade) => differences.filter((difference) => difference.grade === grade))
    .map(
      ({ grade, subject, text }) => `${paint(COLOURS[grade], grade.padEnd(8))}  ${plainLine(`${subject}: ${text}`)}\n`,
    )
    .join("");
}

import type { Difference, Grade } from "@mdx-ai/directory/lock";
import { plainLine } from "@mdx-ai/directory/text";
import type { Paint } from "./paint.ts";

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

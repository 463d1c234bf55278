import type { Diagnostic, TextEdit } from "@mdx-ai/parser";
import { applyEdits } from "./apply-edits.ts";

/** Finds the mistakes in a text. */
export type FindMistakes = (text: string) => Promise<readonly Diagnostic[]>;

export interface MendedText {
  readonly text: string;
  /** The mistakes whose mends were written, at their places of the round in which they were found. */
  readonly mended: readonly Diagnostic[];
}

/** One mend may bring the next mistake to light; mends that undo each other must come to an end. */
const MOST_ROUNDS = 20;

/** Writes the obvious mends into a text until none is left. Line ends of what is written are those of the text. */
export async function mendText(original: string, findMistakes: FindMistakes): Promise<MendedText> {
  const lineEnd = /\r\n?|\n/.exec(original)?.[0] ?? "\n";
  const seen = new Set<string>();
  const mended: Diagnostic[] = [];
  let text = original;
  for (let round = 0; round < MOST_ROUNDS && !seen.has(text); round++) {
    seen.add(text);
    const mistakes = (await findMistakes(text)).filter(({ fix }) => fix !== undefined);
    const next = applyEdits(
      text,
      mistakes.flatMap(({ fix }) => (fix === undefined ? [] : [withLineEnds(fix, lineEnd)])),
    );
    if (next === text) break;
    mended.push(...mistakes);
    text = next;
  }
  return { text, mended };
}

const withLineEnds = (fix: TextEdit, lineEnd: string): TextEdit => ({
  ...fix,
  text: fix.text.replace(/\r\n?|\n/g, lineEnd),
});

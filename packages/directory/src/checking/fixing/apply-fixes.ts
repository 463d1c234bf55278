import type { Diagnostic, TextEdit } from "@mdx-ai/parser";

/** Finds the mistakes in a text. */
export type FindMistakes = (text: string) => Promise<readonly Diagnostic[]>;

export interface FixedText {
  readonly text: string;
  /** The mistakes whose fixes are in `text`, in the order of their positions; each located in the text in which it was found. */
  readonly fixed: readonly Diagnostic[];
}

/** One fix may reveal the next mistake; fixes that undo each other must end. */
const MOST_ROUNDS = 20;

/**
 * Applies the fixes of a text's mistakes until none is left. A fix that overlaps an earlier one of the same round waits for the
 * next round; one that a later fix overwrites does not count as applied. New line ends are those of the text.
 */
export async function applyFixes(original: string, findMistakes: FindMistakes): Promise<FixedText> {
  const lineEnd = /\r\n?|\n/.exec(original)?.[0] ?? "\n";
  const seen = new Set<string>();
  let applied: readonly AppliedFix[] = [];
  let text = original;
  for (let round = 0; round < MOST_ROUNDS && !seen.has(text); round++) {
    seen.add(text);
    const chosen = chosenFixes(text, await findMistakes(text), lineEnd);
    if (chosen.length === 0) break;
    applied = afterFixes(applied, chosen, text);
    text = withFixes(text, chosen);
  }
  if (text === original) return { text, fixed: [] };
  return { text, fixed: applied.map(({ mistake }) => mistake) };
}

/** A mistake and the edit that fixes it, in offsets of the text in which it was found. */
interface ChosenFix {
  readonly mistake: Diagnostic;
  readonly edit: TextEdit;
}

/** What one fix wrote; `start` and `end` are its range in the text as it is after all rounds so far. */
interface AppliedFix {
  readonly mistake: Diagnostic;
  readonly start: number;
  readonly end: number;
  /** What the original has in this range, as far as this is known. */
  readonly replaced: string;
}

/** The fixes that change the text and do not overlap one before them in the list, from the start of the text to its end. */
function chosenFixes(text: string, mistakes: readonly Diagnostic[], lineEnd: string): readonly ChosenFix[] {
  const chosen: ChosenFix[] = [];
  for (const mistake of mistakes) {
    if (mistake.fix === undefined) continue;
    const edit = { ...mistake.fix, text: mistake.fix.text.replace(/\r\n?|\n/g, lineEnd) };
    const isChange = text.slice(edit.start, edit.end) !== edit.text;
    if (isChange && !chosen.some((other) => overlap(edit, other.edit))) chosen.push({ mistake, edit });
  }
  return chosen.sort((one, other) => one.edit.start - other.edit.start);
}

/** Two at the same position overlap, since their order is unknown. */
const overlap = (one: TextEdit, other: TextEdit): boolean =>
  one.start === other.start || (one.start < other.end && other.start < one.end);

function withFixes(text: string, chosen: readonly ChosenFix[]): string {
  // From the end on, so that the offsets of the remaining ones stay right.
  return chosen.reduceRight(
    (current, { edit: { start, end, text: put } }) => current.slice(0, start) + put + current.slice(end),
    text,
  );
}

/** The earlier fixes that the chosen ones leave intact, and the chosen ones, at their ranges in the new text. */
function afterFixes(applied: readonly AppliedFix[], chosen: readonly ChosenFix[], text: string): readonly AppliedFix[] {
  const kept = applied.filter((one) => !chosen.some(({ edit }) => overwrites(edit, one)));
  const moved = kept.map((one) => {
    const by = growth(chosen.filter(({ edit }) => edit.end <= one.start));
    return { ...one, start: one.start + by, end: one.end + by };
  });
  const added = chosen.flatMap(({ mistake, edit }, index) => {
    const start = edit.start + growth(chosen.slice(0, index));
    const earlier = applied.find((one) => one.start === edit.start && one.end === edit.end);
    const replaced = earlier?.replaced ?? text.slice(edit.start, edit.end);
    // One that undoes an earlier fix leaves the original.
    return replaced === edit.text ? [] : [{ mistake, start, end: start + edit.text.length, replaced }];
  });
  return [...moved, ...added].sort((one, other) => one.start - other.start || one.end - other.end);
}

const overwrites = (edit: TextEdit, { start, end }: AppliedFix): boolean => edit.start < end && start < edit.end;

/** By how many characters edits make a text longer. */
const growth = (fixes: readonly ChosenFix[]): number =>
  fixes.reduce((sum, { edit }) => sum + edit.text.length - (edit.end - edit.start), 0);

import type { Diagnostic, TextEdit } from "@mdx-ai/parser";

/** Finds the mistakes in a text. */
export type FindMistakes = (text: string) => Promise<readonly Diagnostic[]>;

export interface FixedText {
  readonly text: string;
  /** The mistakes whose fixes are in `text`, in the order of their positions; each located in the text in which it was found. */
  readonly fixed: readonly Diagnostic[];
}

/** One fix may reveal the next mistake; fixes that undo each other must end. */
const MAX_ROUNDS = 20;

/**
 * Applies the fixes of a text's mistakes until none is left. A fix that overlaps an earlier one of the same round waits for the
 * next round; one that a later fix overwrites does not count as applied. New line ends are those of the text.
 */
export async function applyFixes(original: string, findMistakes: FindMistakes): Promise<FixedText> {
  const lineEnd = /\r\n?|\n/.exec(original)?.[0] ?? "\n";
  const seen = new Set<string>();
  let applied: readonly AppliedFix[] = [];
  let futile: readonly FutileFix[] = [];
  let text = original;
  let mistakes = await findMistakes(text);
  for (let round = 1; round < MAX_ROUNDS && !seen.has(text); round++) {
    seen.add(text);
    const { chosen, ...next } = await afterRound(text, chosenFixes(text, mistakes, { lineEnd, futile }), findMistakes);
    if (chosen.length === 0) break;
    applied = afterFixes(applied, chosen, text);
    futile = [...futile, ...next.futile].map((one) => moved(one, chosen));
    text = next.text;
    mistakes = next.mistakes;
  }
  if (text === original) return { text, fixed: [] };
  return { text, fixed: applied.map(({ mistake }) => mistake) };
}

/** A fix after which its mistake is still there; `start` is its position in the text as it is after all rounds so far. */
interface FutileFix {
  readonly mistake: Diagnostic;
  readonly start: number;
}

interface Round {
  readonly text: string;
  readonly mistakes: readonly Diagnostic[];
  readonly chosen: readonly ChosenFix[];
  /** Not in `text`; at their positions before the round. */
  readonly futile: readonly FutileFix[];
}

/** Writes the chosen fixes but those whose mistakes would still be there. */
async function afterRound(before: string, chosen: readonly ChosenFix[], findMistakes: FindMistakes): Promise<Round> {
  const text = withEdits(
    before,
    chosen.map(({ edit }) => edit),
  );
  const mistakes = await findMistakes(text);
  // What was not read to its end may hold the same mistakes still.
  if (mistakes.some(({ rule }) => rule === "text-too-complex"))
    return { text: before, mistakes, chosen: [], futile: [] };
  const futile = chosen.filter(({ mistake, edit }, index) => {
    const start = edit.start + growth(chosen.slice(0, index));
    return mistakes.some((left) => isSame(left, mistake) && isAt(left, start, start + edit.text.length));
  });
  if (futile.length === 0) return { text, mistakes, chosen, futile: [] };
  const rest = chosen.filter((fix) => !futile.includes(fix));
  const round = await afterRound(before, rest, findMistakes);
  const left = futile.map(({ mistake, edit }) => ({ mistake, start: edit.start }));
  return { ...round, futile: [...left, ...round.futile] };
}

/** The same fix at its position after a round. */
function moved(fix: FutileFix, chosen: readonly ChosenFix[]): FutileFix {
  return { ...fix, start: fix.start + growth(chosen.filter(({ edit }) => edit.end <= fix.start)) };
}

/** After a line end that a fix wrote, the same fix needs none before it. */
const isSame = (one: Diagnostic, other: Diagnostic): boolean =>
  one.rule === other.rule && one.message === other.message && one.fix?.text.trim() === other.fix?.text.trim();

/** Whether the fix of a mistake begins within a range. */
const isAt = ({ fix }: Diagnostic, start: number, end: number): boolean =>
  fix !== undefined && start <= fix.start && fix.start <= end;

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
function chosenFixes(
  text: string,
  mistakes: readonly Diagnostic[],
  { lineEnd, futile }: { readonly lineEnd: string; readonly futile: readonly FutileFix[] },
): readonly ChosenFix[] {
  const chosen: ChosenFix[] = [];
  for (const mistake of mistakes) {
    const { fix } = mistake;
    if (fix === undefined || futile.some((one) => one.start === fix.start && one.mistake.rule === mistake.rule))
      continue;
    const edit = { ...fix, text: fix.text.replace(/\r\n?|\n/g, lineEnd) };
    const isChange = text.slice(edit.start, edit.end) !== edit.text;
    if (isChange && !chosen.some((other) => overlap(edit, other.edit))) chosen.push({ mistake, edit });
  }
  return chosen.sort((one, other) => one.edit.start - other.edit.start);
}

/** Two at the same position overlap, since their order is unknown. */
const overlap = (one: TextEdit, other: TextEdit): boolean =>
  one.start === other.start || (one.start < other.end && other.start < one.end);

/** A text after edits, which are sorted and separate. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0, ...edits.map(({ end }) => end)];
  return [...edits, undefined]
    .map((edit, index) => text.slice(starts[index], edit?.start) + (edit?.text ?? ""))
    .join("");
}

/** The earlier fixes that the chosen ones leave intact, and the chosen ones, at their ranges in the new text. */
function afterFixes(applied: readonly AppliedFix[], chosen: readonly ChosenFix[], text: string): readonly AppliedFix[] {
  const kept = applied.filter((one) => !chosen.some(({ edit }) => overwrites(edit, one)));
  const shifted = kept.map((one) => {
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
  return [...shifted, ...added].sort((one, other) => one.start - other.start || one.end - other.end);
}

const overwrites = (edit: TextEdit, { start, end }: AppliedFix): boolean => edit.start < end && start < edit.end;

/** By how many characters edits make a text longer. */
const growth = (fixes: readonly ChosenFix[]): number =>
  fixes.reduce((sum, { edit }) => sum + edit.text.length - (edit.end - edit.start), 0);

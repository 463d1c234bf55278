import type { Diagnostic, TextEdit } from "@mdx-ai/parser";

/** Finds the mistakes in a text. */
export type FindMistakes = (text: string) => Promise<readonly Diagnostic[]>;

export interface FixedText {
  readonly text: string;
  /** The fixed mistakes, sorted by position; each located in the text in which it was found. */
  readonly fixed: readonly Diagnostic[];
}

/** The maximum rounds: one fix may reveal the next mistake, but fixes that undo each other must end. */
const MAX_ROUNDS = 20;

/**
 * Applies fixes to a text until no mistake is left. A fix that overlaps an earlier one of the same round waits for the
 * next round; one that a later fix overwrites does not count as applied. A fix that only turns one error into another is not applied.
 * New lines use the text's line ends.
 */
export async function applyFixes(original: string, findMistakes: FindMistakes): Promise<FixedText> {
  const before = await findMistakes(original);
  let refused: readonly Diagnostic[] = [];
  for (let round = 1; round < MAX_ROUNDS; round++) {
    const { text, applied, mistakes } = await fixedOnce(original, { before, findMistakes, refused });
    if (text === original) break;
    const added = mistakes.filter((one) => one.severity === "error" && !before.some((other) => isAlike(one, other)));
    const wrong = applied.filter((fix) => added.some(({ line }) => isOnLines(fix, line, text)));
    if (wrong.length === 0) return { text, fixed: applied.map(({ mistake }) => mistake) };
    refused = [...refused, ...wrong.map(({ mistake }) => mistake)];
  }
  return { text: original, fixed: [] };
}

/** Whether a line, counted from 1, is among those of a written fix. */
function isOnLines({ start, end }: AppliedFix, line: number, text: string): boolean {
  const lineAt = (offset: number): number => text.slice(0, offset).split(/\r\n?|\n/).length;
  return lineAt(start) <= line && line <= lineAt(end);
}

interface Fixing {
  /** The mistakes of the original text. */
  readonly before: readonly Diagnostic[];
  readonly findMistakes: FindMistakes;
  /** The mistakes whose fixes are not wanted. */
  readonly refused: readonly Diagnostic[];
}

interface FixedOnce {
  readonly text: string;
  readonly applied: readonly AppliedFix[];
  readonly mistakes: readonly Diagnostic[];
}

async function fixedOnce(original: string, { before, findMistakes, refused }: Fixing): Promise<FixedOnce> {
  const lineEnd = /\r\n?|\n/.exec(original)?.[0] ?? "\n";
  const seen = new Set<string>();
  let applied: readonly AppliedFix[] = [];
  let futile: readonly FutileFix[] = [];
  let text = original;
  let mistakes = before;
  const wanted = (): readonly Diagnostic[] => mistakes.filter((one) => !refused.some((other) => isSame(one, other)));
  for (let round = 1; round < MAX_ROUNDS && !seen.has(text); round++) {
    seen.add(text);
    const { chosen, ...next } = await afterRound(text, chosenFixes(text, wanted(), { lineEnd, futile }), findMistakes);
    if (chosen.length === 0) break;
    applied = afterFixes(applied, chosen, text);
    futile = [...futile, ...next.futile].map((one) => moved(one, chosen));
    text = next.text;
    mistakes = next.mistakes;
  }
  return { text, applied, mistakes };
}

/** A fix that does not remove its mistake; `start` is its position in the current text. */
interface FutileFix {
  readonly mistake: Diagnostic;
  readonly start: number;
}

interface Round {
  readonly text: string;
  readonly mistakes: readonly Diagnostic[];
  readonly chosen: readonly ChosenFix[];
  /** The fixes that are not in `text`, at their positions before the round. */
  readonly futile: readonly FutileFix[];
}

/** Writes the chosen fixes, except those that would not remove their mistakes. */
async function afterRound(before: string, chosen: readonly ChosenFix[], findMistakes: FindMistakes): Promise<Round> {
  const text = withEdits(
    before,
    chosen.map(({ edit }) => edit),
  );
  const mistakes = await findMistakes(text);
  // A partially read text may still contain the same mistakes.
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

const isAlike = (one: Diagnostic, other: Diagnostic): boolean =>
  one.rule === other.rule && one.message === other.message;

/** After a line end that a fix wrote, the same fix needs no line end before it. */
const isSame = (one: Diagnostic, other: Diagnostic): boolean =>
  isAlike(one, other) && one.fix?.text.trim() === other.fix?.text.trim();

/** Whether the fix of a mistake begins within a range. */
const isAt = ({ fix }: Diagnostic, start: number, end: number): boolean =>
  fix !== undefined && start <= fix.start && fix.start <= end;

/** A mistake and the edit that fixes it, in offsets of the text in which it was found. */
interface ChosenFix {
  readonly mistake: Diagnostic;
  readonly edit: TextEdit;
}

/** A written fix; `start` and `end` are its range in the current text. */
interface AppliedFix {
  readonly mistake: Diagnostic;
  readonly start: number;
  readonly end: number;
  /** The original text in this range, if known. */
  readonly replaced: string;
}

/** The fixes that change the text and do not overlap an earlier one of the list, sorted by position. */
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

/** The chosen fixes, and the earlier ones that they leave intact, at their ranges in the new text. */
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
    // A fix that undoes an earlier one restores the original.
    return replaced === edit.text ? [] : [{ mistake, start, end: start + edit.text.length, replaced }];
  });
  return [...shifted, ...added].sort((one, other) => one.start - other.start || one.end - other.end);
}

const overwrites = (edit: TextEdit, { start, end }: AppliedFix): boolean => edit.start < end && start < edit.end;

/** The change in length by edits, in characters. */
const growth = (fixes: readonly ChosenFix[]): number =>
  fixes.reduce((sum, { edit }) => sum + edit.text.length - (edit.end - edit.start), 0);

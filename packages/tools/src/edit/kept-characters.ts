import { type CommonRun, commonRuns } from "./common-runs.ts";
import { folded, foldedText } from "./lookalikes.ts";

/** Matches words, and all other characters one by one. */
const TOKENS = /[\p{L}\p{N}\p{M}_]+|./gsu;
const HAS_WORD = /[\p{L}\p{N}]/u;

/**
 * Compares `old` and `new` once, for all matches that look like `old`. The result makes the replacement of a match: the new text,
 * with the characters of the match where the new text equals `old`.
 */
export function keepCharacters(old: string, replacement: string): (found: string) => string {
  const tokens = old.match(TOKENS) ?? [];
  const written = replacement.match(TOKENS) ?? [];
  // Where each token of `old` starts in a text that looks like it.
  const offsets = offsetsOf(tokens.map(folded));
  const isWhole = offsets.at(-1) === folded(old).length;
  const runs = isWhole ? commonRuns(tokens, written).filter((run) => isKept(run, tokens, written)) : [];
  const starts = offsetsOf(written);
  const parts = runs.map(({ first, second, length }) => ({
    from: first === 0 ? undefined : offsets[first],
    to: first + length === tokens.length ? undefined : offsets[first + length],
    start: starts[second] ?? 0,
    end: starts[second + length] ?? 0,
  }));
  const shown = folded(old);
  return (found) => replacedParts(found, { parts, shown, replacement });
}

/**
 * A part of the new text that equals a part of `old`; `from` and `to` are positions in a text that looks like `old`, undefined
 * for its ends.
 */
interface KeptPart {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly start: number;
  readonly end: number;
}

interface KeptParts {
  readonly parts: readonly KeptPart[];
  /** `old`, folded. */
  readonly shown: string;
  readonly replacement: string;
}

function replacedParts(found: string, { parts, shown, replacement }: KeptParts): string {
  const place = foldedText(found);
  if (place.text !== shown) return replacement;
  const pieces: string[] = [];
  let written = 0;
  for (const { from, to, start, end } of parts) {
    const first = from === undefined ? 0 : place.startOf(from);
    const last = to === undefined ? found.length : place.endOf(to);
    const isWhole = first !== undefined && last !== undefined;
    pieces.push(replacement.slice(written, start), isWhole ? found.slice(first, last) : replacement.slice(start, end));
    written = end;
  }
  return pieces.join("") + replacement.slice(written);
}

/** Blanks and punctuation within new text are equal by chance. */
function isKept({ first, second, length }: CommonRun, tokens: readonly string[], written: readonly string[]): boolean {
  const isAtStart = first === 0 && second === 0;
  const isAtEnd = first + length === tokens.length && second + length === written.length;
  return isAtStart || isAtEnd || tokens.slice(first, first + length).some((token) => HAS_WORD.test(token));
}

/** Where each text starts if all are joined, and where the last one ends. */
function offsetsOf(texts: readonly string[]): readonly number[] {
  const offsets = [0];
  for (const text of texts) offsets.push((offsets.at(-1) ?? 0) + text.length);
  return offsets;
}

import leven from "leven";

interface Guess {
  readonly candidate: string;
  readonly distance: number;
}

/** The candidate that the author most likely meant; undefined if none is similar. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  return best(guesses(word, candidates))?.candidate;
}

/** The only similar candidate; undefined if two are equally similar. */
export function onlyClosest(word: string, candidates: Iterable<string>): string | undefined {
  const all = guesses(word, candidates);
  const nearest = best(all);
  const isOnly = all.filter(({ distance }) => distance === nearest?.distance).length === 1;
  return isOnly ? nearest?.candidate : undefined;
}

function guesses(word: string, candidates: Iterable<string>): readonly Guess[] {
  return [...candidates].flatMap((candidate) => {
    const distance = distanceOf(word.toLowerCase(), candidate.toLowerCase());
    return distance === undefined ? [] : [{ candidate, distance }];
  });
}

function best(all: readonly Guess[]): Guess | undefined {
  let first: Guess | undefined;
  for (const guess of all) if (first === undefined || guess.distance < first.distance) first = guess;
  return first;
}

/** The edit distance, if it is small; two swapped letters count as one edit. */
function distanceOf(word: string, candidate: string): number | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const distance = leven(word, candidate, { maxDistance: allowed + 2 });
  const isSwapped = distance === 2 && sortedLetters(word) === sortedLetters(candidate);
  if (isSwapped) return 1;
  return distance <= allowed ? distance : undefined;
}

function sortedLetters(word: string): string {
  return [...word].sort().join("");
}

/** "did you mean `x`?", or the given text. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const candidate = closest(word, candidates);
  return candidate === undefined ? otherwise : `did you mean \`${candidate}\`?`;
}

import leven from "leven";

/** The candidate that the author most likely meant, or undefined where none is near. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = distanceOf(word.toLowerCase(), candidate.toLowerCase());
    if (distance !== undefined && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** How many letters differ, where they are few; two letters that changed places count as one. */
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

/** "did you mean `x`?", else the given text. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const candidate = closest(word, candidates);
  return candidate === undefined ? otherwise : `did you mean \`${candidate}\`?`;
}

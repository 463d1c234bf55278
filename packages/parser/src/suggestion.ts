import leven from "leven";

/** The candidate that the author most likely meant, or undefined where none is near. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = leven(word.toLowerCase(), candidate.toLowerCase(), { maxDistance: allowed + 1 });
    if (distance <= allowed && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** "did you mean `x`?", else the given text. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const candidate = closest(word, candidates);
  return candidate === undefined ? otherwise : `did you mean \`${candidate}\`?`;
}

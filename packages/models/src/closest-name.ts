/**
 * The one name that is similar to a misspelt word: at most one letter in three differs, or the letters are the same in
 * another order. Undefined if no name is similar, or several are.
 */
export function closestName(word: string, names: readonly string[]): string | undefined {
  const allowed = (name: string): number => Math.floor(name.length / 3);
  const similar = names.filter((name) => Math.abs(name.length - word.length) <= allowed(name));
  const close = similar.filter((name) => isSwapped(word, name) || editDistance(word, name) <= allowed(name));
  return close.length === 1 ? close[0] : undefined;
}

const isSwapped = (word: string, name: string): boolean =>
  word.length === name.length && editDistance(word, name) === 2 && sortedLetters(word) === sortedLetters(name);

const sortedLetters = (word: string): string => [...word].sort().join("");

/** How many letters must be inserted, removed or replaced to turn one word into the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

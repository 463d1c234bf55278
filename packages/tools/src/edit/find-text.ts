/** The positions of a text in another, both in UTF-8; only ones that do not overlap if `isDisjoint`. */
export function positionsOf(text: Buffer, wanted: Buffer, isDisjoint: boolean): readonly number[] {
  const positions: number[] = [];
  const step = isDisjoint ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) positions.push(at);
  return positions;
}

/** The number of line ends before a position. */
export function linesBefore(text: Buffer, position: number): number {
  // Decoded as Latin-1, since searching bytes one by one is far slower.
  const before = text.toString("latin1", 0, position);
  let count = 0;
  for (let at = before.indexOf("\n"); at !== -1; at = before.indexOf("\n", at + 1)) count += 1;
  return count;
}

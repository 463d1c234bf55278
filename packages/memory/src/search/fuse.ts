/** The usual constant of reciprocal rank fusion: the first ranks differ little. */
const SMOOTHING = 60;

/** Joins rankings by reciprocal rank: what several rank high comes first. Returns items with scores, best first. Pure. */
export function fuse<Item>(rankings: readonly (readonly Item[])[]): readonly (readonly [item: Item, score: number])[] {
  const scores = new Map<Item, number>();
  for (const ranking of rankings) {
    for (const [at, item] of ranking.entries()) scores.set(item, (scores.get(item) ?? 0) + 1 / (SMOOTHING + at + 1));
  }
  return [...scores].sort(([, one], [, other]) => other - one);
}

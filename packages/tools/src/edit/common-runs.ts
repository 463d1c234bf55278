/** A run of items that two lists share: its start in each, and its length. */
export interface CommonRun {
  readonly first: number;
  readonly second: number;
  readonly length: number;
}

/** The most pairs of items that are compared; longer lists share only their beginnings and ends. */
const MAX_PAIRS = 4_000_000;

/** The longest common subsequence of two lists, as runs in order. */
export function commonRuns(first: readonly string[], second: readonly string[]): readonly CommonRun[] {
  const shorter = Math.min(first.length, second.length);
  let head = 0;
  while (head < shorter && first[head] === second[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && first.at(-1 - tail) === second.at(-1 - tail)) tail += 1;
  const middle = middleRuns(first.slice(head, first.length - tail), second.slice(head, second.length - tail));
  return [
    { first: 0, second: 0, length: head },
    ...middle.map((run) => ({ ...run, first: run.first + head, second: run.second + head })),
    { first: first.length - tail, second: second.length - tail, length: tail },
  ].filter(({ length }) => length > 0);
}

function middleRuns(first: readonly string[], second: readonly string[]): readonly CommonRun[] {
  if (first.length * second.length > MAX_PAIRS) return [];
  const lengths = lengthsOf(first, second);
  const width = second.length + 1;
  const runs: CommonRun[] = [];
  let [one, other] = [0, 0];
  while (one < first.length && other < second.length) {
    if (first[one] === second[other]) {
      let length = 1;
      const isSame = (): boolean =>
        one + length < first.length && other + length < second.length && first[one + length] === second[other + length];
      while (isSame()) length += 1;
      runs.push({ first: one, second: other, length });
      one += length;
      other += length;
    } else if ((lengths[(one + 1) * width + other] ?? 0) >= (lengths[one * width + other + 1] ?? 0)) one += 1;
    else other += 1;
  }
  return runs;
}

/** For each pair of positions, how much the rests of both lists share. */
function lengthsOf(first: readonly string[], second: readonly string[]): Int32Array {
  const width = second.length + 1;
  const lengths = new Int32Array((first.length + 1) * width);
  for (let one = first.length - 1; one >= 0; one -= 1) {
    for (let other = second.length - 1; other >= 0; other -= 1) {
      const at = one * width + other;
      const next = Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
      lengths[at] = first[one] === second[other] ? (lengths[at + width + 1] ?? 0) + 1 : next;
    }
  }
  return lengths;
}

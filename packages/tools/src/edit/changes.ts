/** A replaced range of a text, before and after. Positions in bytes; ends are exclusive. */
export interface Change {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** A change shifted by text that was added or removed before it. */
export const moved = ({ oldStart, oldEnd, newStart, newEnd }: Change, by: number): Change => ({
  oldStart: oldStart + by,
  oldEnd: oldEnd + by,
  newStart: newStart + by,
  newEnd: newEnd + by,
});

/** A range in the text between two rounds of changes, and how much each round lengthens the text there. */
interface Touched {
  readonly start: number;
  readonly end: number;
  readonly growthBefore: number;
  readonly growthAfter: number;
}

/** Combines two consecutive rounds of changes into one. Each is in text order; adjacent changes are merged. */
export function composed(first: readonly Change[], second: readonly Change[]): readonly Change[] {
  const ranges = [...first.map(ofFirst), ...second.map(ofSecond)].sort((one, other) => one.start - other.start);
  let before = 0;
  let after = 0;
  return joined(ranges).map(({ start, end, growthBefore, growthAfter }) => {
    const oldStart = start - before;
    const newStart = start + after;
    before += growthBefore;
    after += growthAfter;
    return { oldStart, oldEnd: end - before, newStart, newEnd: end + after };
  });
}

const growthOf = (change: Change): number => change.newEnd - change.newStart - (change.oldEnd - change.oldStart);

const ofFirst = (change: Change): Touched => ({
  start: change.newStart,
  end: change.newEnd,
  growthBefore: growthOf(change),
  growthAfter: 0,
});

const ofSecond = (change: Change): Touched => ({
  start: change.oldStart,
  end: change.oldEnd,
  growthBefore: 0,
  growthAfter: growthOf(change),
});

function joined(ranges: readonly Touched[]): readonly Touched[] {
  const groups: Touched[] = [];
  for (const range of ranges) {
    const last = groups.at(-1);
    if (last === undefined || range.start > last.end) {
      groups.push(range);
      continue;
    }
    groups[groups.length - 1] = {
      start: last.start,
      end: Math.max(last.end, range.end),
      growthBefore: last.growthBefore + range.growthBefore,
      growthAfter: last.growthAfter + range.growthAfter,
    };
  }
  return groups;
}

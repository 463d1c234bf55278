/** Numbers that are tried one by one. */
const fewCounts = 10;

/**
 * The number to try after one that is taken. A server may give one id to thousands of calls; then the search goes on where
 * a number is free, which is as large as the ids are many.
 */
export const nextCount = (count: number, taken: ReadonlySet<string>): number =>
  count < fewCounts ? count + 1 : Math.max(count + 1, taken.size);

/** The id that is wanted for a call, with a number where another call has it; it is then taken. */
export function takeId(wanted: string, taken: Set<string>): string {
  const start = wanted || "call";
  let free = start;
  for (let count = 2; taken.has(free); count = nextCount(count, taken)) free = `${start}_${count}`;
  taken.add(free);
  return free;
}

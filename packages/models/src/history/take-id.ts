/**
 * The id that is wanted for a call, with a number where another call has it; it is then taken. Beyond the first numbers
 * the search begins where one must be free: a server may give one id to thousands of calls.
 */
export function takeId(wanted: string, taken: Set<string>): string {
  const start = wanted || "call";
  let free = start;
  for (let count = 2; taken.has(free); count = Math.max(count + 1, taken.size)) free = `${start}_${count}`;
  taken.add(free);
  return free;
}

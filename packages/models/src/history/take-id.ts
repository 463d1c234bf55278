/** The id that is wanted for a call, with a number where another call has it; it is then taken. */
export function takeId(wanted: string, taken: Set<string>): string {
  const start = wanted || "call";
  let free = start;
  for (let count = 2; taken.has(free); count++) free = `${start}_${count}`;
  taken.add(free);
  return free;
}

/** JSON with sorted names, so that what says the same is the same text. */
export const sortedJson = (value: unknown): string => JSON.stringify(sorted(value));

/** The same plain data with its names sorted, through and through. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

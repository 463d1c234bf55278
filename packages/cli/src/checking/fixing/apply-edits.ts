import type { TextEdit } from "@mdx-ai/parser";

/** Applies the edits that do not overlap one that is taken before; those at one place are taken in their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const taken: TextEdit[] = [];
  for (const edit of edits) if (!taken.some((other) => overlap(edit, other))) taken.push(edit);
  // From the end on, so that the places of those that are left stay right.
  const backwards = taken.toSorted((one, other) => other.start - one.start);
  return backwards.reduce(
    (current, { start, end, text: put }) => current.slice(0, start) + put + current.slice(end),
    text,
  );
}

/** Two at the same place overlap, since it is not known which comes first. */
const overlap = (one: TextEdit, other: TextEdit): boolean =>
  one.start === other.start || (one.start < other.end && other.start < one.end);

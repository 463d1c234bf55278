/** The sizes that stores accept, in characters or items. */
export const LIMITS = {
  title: 200,
  description: 4_096,
  /** Ids that callers choose. */
  id: 200,
  rawEntry: 1_000_000,
  summary: 65_536,
  tags: 64,
  tagName: 200,
  tagValue: 4_096,
  context: 65_536,
  listDefault: 25,
  listMost: 50,
  searchDefault: 10,
  searchMost: 100,
} as const;

/** Cuts a text to at most `most` characters and marks the cut. Never splits a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, Math.max(0, most - 1)).replace(/[\ud800-\udbff]$/, "");
  return most < 1 ? "" : `${kept}…`;
}

/** A text of at most this many characters, which shows that it was cut. No character is cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, Math.max(0, most - 1)).replace(/[\ud800-\udbff]$/, "");
  return most < 1 ? "" : `${kept}…`;
}

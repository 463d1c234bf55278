/** The first `length` characters of a text, with an ellipsis if there are more. A character of two halves stays whole. */
export function shortened(text: string, length: number, ellipsis = "…"): string {
  const characters = [...text.slice(0, 2 * length + 2)];
  return characters.length > length ? `${characters.slice(0, length).join("")}${ellipsis}` : text;
}

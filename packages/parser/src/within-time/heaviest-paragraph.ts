/** The offset of the paragraph with the most punctuation: what takes a parser long is usually there. */
export function heaviestParagraph(text: string): number {
  let heaviest = { offset: 0, weight: 0 };
  for (const { 0: paragraph, index } of text.matchAll(/(?:[^\r\n]+(?:\r\n?|\n|$))+/g)) {
    const weight = paragraph.replace(/[\w\s]+/g, "").length;
    if (weight > heaviest.weight) heaviest = { offset: index, weight };
  }
  return heaviest.offset;
}

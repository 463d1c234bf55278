import { paragraphsOf } from "../mdx/paragraphs.ts";

/** The offset of the paragraph with the most punctuation: what takes a parser long is usually there. */
export function heaviestParagraph(text: string): number {
  let heaviest = { offset: 0, weight: 0 };
  for (const { paragraph, offset } of paragraphsOf(text)) {
    const weight = paragraph.replace(/[\w\s]+/g, "").length;
    if (weight > heaviest.weight) heaviest = { offset, weight };
  }
  return heaviest.offset;
}

import type { ImageContent, TextContent } from "@mdx-ai/models";
import { textContent } from "./read-content.ts";

type Content = TextContent | ImageContent;

/** Characters of all texts of a result. */
export const MOST_TEXT = 1_000_000;

/** Characters of all images of a result, in base64. */
const MOST_IMAGES = 10_000_000;

/** Parts of a result. */
const MOST_PARTS = 1_000;

/** A result cut to a bound. What is left out is replaced by a text that says so. */
export function boundedContent(content: readonly Content[]): readonly Content[] {
  let text = MOST_TEXT;
  let images = MOST_IMAGES;
  const bounded = content.slice(0, MOST_PARTS).map((part) => {
    if (part.type === "text") {
      const kept = cutText(part, text);
      text -= Math.min(part.text.length, text);
      return kept;
    }
    if (part.data.length > images)
      return textContent(`[An image of the type ${part.mimeType} was left out: too large]`);
    images -= part.data.length;
    return part;
  });
  const more = content.length - bounded.length;
  return more > 0 ? [...bounded, textContent(`[${more.toLocaleString("en")} more parts were left out]`)] : bounded;
}

function cutText(part: TextContent, length: number): TextContent {
  if (part.text.length <= length) return part;
  // Half of a pair would be no character.
  const kept = part.text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
  const more = (part.text.length - kept.length).toLocaleString("en");
  return textContent(`${kept}\n[${more} more characters were left out]`);
}

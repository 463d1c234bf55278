import type { Heading } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { isComment } from "./document-parts.ts";

/** The plain text of a heading: without marks and comments, with its expressions in braces. */
export function headingText(heading: Heading): string {
  const texts = heading.children.map((child) => {
    if (child.type !== "mdxTextExpression") return textOf(child);
    return isComment(child) ? "" : `{${child.value}}`;
  });
  return texts.join("").trim();
}

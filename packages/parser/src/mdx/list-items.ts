import type { ListItem } from "mdast";
import type { Slice } from "./prose-slices.ts";
import { childrenOf, endOf, startOf } from "./syntax-tree.ts";

/**
 * The text of a list item as written, without its bullet. Its later lines are indented by two columns, so that with "- "
 * before it the text is the same Markdown again. Empty where the item is.
 */
export function hangingText(item: ListItem, slice: Slice): string {
  const first = childrenOf(item)[0];
  if (first === undefined) return "";
  return hanging(slice(startOf(first), endOf(item)), (first.position?.start.column ?? 1) - 1);
}

/** Takes up to `columns` blanks from the start of every line but the first, then puts two there. */
export function hanging(text: string, columns: number): string {
  const [first = "", ...rest] = text.split("\n");
  const outdented = rest.map((line) => line.slice(Math.min(columns, line.length - line.trimStart().length)));
  return [first.trimStart(), ...outdented.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

import type { Root } from "mdast";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";

/** What parsing cannot do without: unified with remark-parse and remark-mdx alone. */
export function bareParse(text: string): Root {
  return unified().use(remarkParse).use(remarkMdx).parse(text);
}

import type { Nodes } from "mdast";
import { isComment } from "./document-parts.ts";
import { isJsx } from "./syntax-tree.ts";

/** Whether a node is content in an element that should have no prose. */
export function isStray(node: Nodes): boolean {
  if (node.type === "text") return node.value.trim() !== "";
  if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression") return !isComment(node);
  return isJsx(node) || ["inlineCode", "heading", "image", "thematicBreak", "definition"].includes(node.type);
}

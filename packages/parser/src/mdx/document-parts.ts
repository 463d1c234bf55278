import type { Code, Nodes, Root } from "mdast";
import type { Cut } from "./prose-slices.ts";
import {
  childrenOf,
  type EsmNode,
  type ExpressionNode,
  endOf,
  isJsx,
  type JsxElement,
  startOf,
} from "./syntax-tree.ts";

/** The parts of a document other than prose, each in the order of the file. */
export interface DocumentParts {
  readonly tools: readonly JsxElement[];
  /** `<Param>` elements outside of tools. */
  readonly strayParams: readonly JsxElement[];
  /** All other elements. */
  readonly elements: readonly JsxElement[];
  readonly esm: readonly EsmNode[];
  /** Without those that hold nothing but comments. */
  readonly expressions: readonly ExpressionNode[];
  /** Ranges without prose: frontmatter, tools, code, comments. */
  readonly cuts: readonly Cut[];
  /** The last code block outside tools. */
  readonly lastCode?: Code;
}

/** Sorts a document's nodes in one walk. */
export function documentParts(tree: Root): DocumentParts {
  const parts: Sorted = { tools: [], strayParams: [], elements: [], esm: [], expressions: [], cuts: [] };
  let lastCode: Code | undefined;
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "code") lastCode = node;
    const isCut = sort(node, parts);
    if (isCut) parts.cuts.push({ start: startOf(node), end: endOf(node), block: !/text/i.test(node.type) });
    if (isCut) continue;
    const children = childrenOf(node);
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
  return { ...parts, ...(lastCode === undefined ? {} : { lastCode }) };
}

/** Backslashes before a brace or an angle bracket, which MDX asks for: a pair is one of the text. None in code. */
export function escapes(tree: Root, text: string): readonly Cut[] {
  const code: Cut[] = [];
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (["code", "inlineCode", "yaml"].includes(node.type))
      code.push({ start: startOf(node), end: endOf(node), block: false });
    else waiting.push(...childrenOf(node));
  }
  code.sort((one, other) => one.start - other.start);
  let index = 0;
  const cuts: Cut[] = [];
  for (const { 0: run, index: start } of text.matchAll(/\\+(?=[{}<])/g)) {
    while ((code[index]?.end ?? text.length) <= start) index++;
    if ((code[index]?.start ?? text.length) > start) {
      cuts.push({ start, end: start + Math.ceil(run.length / 2), block: false });
    }
  }
  return cuts;
}

interface Sorted {
  readonly tools: JsxElement[];
  readonly strayParams: JsxElement[];
  readonly elements: JsxElement[];
  readonly esm: EsmNode[];
  readonly expressions: ExpressionNode[];
  readonly cuts: Cut[];
}

/** Sorts a node into its part and returns whether it is cut from the prose. */
function sort(node: Nodes, parts: Sorted): boolean {
  if (isJsx(node)) return sortElement(node, parts);
  switch (node.type) {
    case "yaml":
      return true;
    case "mdxjsEsm":
      parts.esm.push(node);
      return true;
    case "mdxFlowExpression":
    case "mdxTextExpression": {
      const comment = isComment(node);
      if (!comment) parts.expressions.push(node);
      return comment;
    }
    default:
      return false;
  }
}

function sortElement(element: JsxElement, parts: Sorted): boolean {
  if (element.name === "Tool") parts.tools.push(element);
  else if (element.name === "Param") parts.strayParams.push(element);
  else parts.elements.push(element);
  return element.name === "Tool" || element.name === "Param";
}

/** Whether an expression holds nothing to evaluate. */
export function isComment(node: ExpressionNode): boolean {
  return node.data?.estree?.body.length === 0;
}

/** Whether a node is content in an element that should have no prose. */
export function isStray(node: Nodes): boolean {
  if (node.type === "text") return node.value.trim() !== "";
  if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression") return !isComment(node);
  return isJsx(node) || ["inlineCode", "heading", "image", "thematicBreak", "definition"].includes(node.type);
}

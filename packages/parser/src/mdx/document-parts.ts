import { defined } from "@mdx-ai/base";
import type { Code, Nodes, Root } from "mdast";
import type { Cut, Range } from "./prose-slices.ts";
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
  /** Ranges without prose: frontmatter, tools, code, comments, and the backslashes that MDX asks for. */
  readonly cuts: readonly Cut[];
  /** Expressions in the texts of images, which have no nodes. */
  readonly imageBraces: readonly Range[];
  /** The last code block outside tools. */
  readonly lastCode?: Code;
}

/** Sorts the nodes of a document in one walk; `text` is what it was parsed from. */
export function documentParts(tree: Root, text: string): DocumentParts {
  const parts: Sorted = { tools: [], strayParams: [], elements: [], esm: [], expressions: [], cuts: [] };
  const others: Others = { codes: [], images: [] };
  const separators = new Set<Nodes>();
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    sort(node, parts, others);
    if (isCut(node)) {
      const kind = separators.has(node) ? "separator" : kindOf(node);
      parts.cuts.push({ start: startOf(node), end: endOf(node), kind });
      continue;
    }
    const children = childrenOf(node);
    for (const child of separatorsAmong(children, text)) separators.add(child);
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
  const lastCode = others.codes.at(-1);
  const cuts = withEscapes(parts.cuts, others.codes, { offsets: tree.data?.escapes ?? [], text });
  const imageBraces = bracesWithin(others.images, tree.data?.braces ?? []);
  return { ...parts, cuts, imageBraces, ...defined({ lastCode }) };
}

function kindOf({ type }: Nodes): Cut["kind"] {
  if (/text/i.test(type)) return "inline";
  return type === "mdxFlowExpression" ? "block_comment" : "block";
}

/** The cut nodes that alone keep indented text, to Markdown most often code, out of the last item of the list before it. */
function separatorsAmong(siblings: readonly Nodes[], text: string): readonly Nodes[] {
  let before: Nodes | undefined;
  return siblings.filter((node, index) => {
    if (!isCut(node)) before = node;
    const next = siblings[index + 1];
    if (before?.type !== "list" || next === undefined || !isCut(node) || isCut(next)) return false;
    return indentation(next, text) >= indentation(before, text) + MIN_BULLET;
  });
}

/** With the blank after it. */
const MIN_BULLET = 2;

/** How far a node is from the start of its line, in columns. */
function indentation(node: Nodes, text: string): number {
  const start = startOf(node);
  const before = text.slice(0, start);
  const lineStart = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
  return before.slice(lineStart).replaceAll("\t", "    ").length;
}

/** The pairs of braces within nodes; nodes and braces are in the order of the file. */
function bracesWithin(nodes: readonly Nodes[], braces: readonly number[]): readonly Range[] {
  const found: Range[] = [];
  let index = 0;
  for (const node of nodes) {
    while ((braces[index] ?? Number.POSITIVE_INFINITY) < startOf(node)) index += 2;
    for (; (braces[index] ?? Number.POSITIVE_INFINITY) < endOf(node); index += 2) {
      const [start = 0, last = start] = braces.slice(index, index + 2);
      found.push({ start, end: last + 1 });
    }
  }
  return found;
}

/** Escapes in the prose of a file. */
interface Escapes {
  /** In their order. */
  readonly offsets: readonly number[];
  readonly text: string;
}

/** The cuts with those of the backslashes before `{`, `}` and `<`: they are for MDX alone, a model receives the character. */
function withEscapes(cuts: readonly Cut[], codes: readonly Code[], { offsets, text }: Escapes): readonly Cut[] {
  const taken = [...cuts, ...codes.map((node) => ({ start: startOf(node), end: endOf(node) }))].sort(byStart);
  const escapes: Cut[] = [];
  let index = 0;
  for (const start of [...offsets].sort((one, other) => one - other)) {
    while ((taken[index]?.end ?? Number.POSITIVE_INFINITY) <= start) index++;
    const isTaken = (taken[index]?.start ?? Number.POSITIVE_INFINITY) <= start;
    if (!isTaken && /[{}<]/.test(text[start + 1] ?? "")) escapes.push({ start, end: start + 1, kind: "inline" });
  }
  return escapes.length === 0 ? cuts : [...cuts, ...escapes].sort(byStart);
}

function byStart(one: { readonly start: number }, other: { readonly start: number }): number {
  return one.start - other.start;
}

/** One of each pair of backslashes right before an escaped brace or angle bracket: the other one is of the text. */
export function doubledBackslashes(tree: Root, text: string): readonly Cut[] {
  const pairs = (tree.data?.escapes ?? []).filter((start) =>
    /^\\(?:\\\\)*\\[{}<]/.test(text.slice(start + 1, start + MAX_RUN)),
  );
  return pairs.map((start) => ({ start, end: start + 1, kind: "inline" }));
}

/** Of backslashes that are looked at. */
const MAX_RUN = 100;

interface Sorted {
  readonly tools: JsxElement[];
  readonly strayParams: JsxElement[];
  readonly elements: JsxElement[];
  readonly esm: EsmNode[];
  readonly expressions: ExpressionNode[];
  readonly cuts: Cut[];
}

/** Nodes that are prose, or code in it. */
interface Others {
  readonly codes: Code[];
  readonly images: Nodes[];
}

/** Sorts a node into its part. */
function sort(node: Nodes, parts: Sorted, others: Others): void {
  switch (node.type) {
    case "mdxJsxFlowElement":
    case "mdxJsxTextElement":
      sortElement(node, parts);
      return;
    case "code":
      others.codes.push(node);
      return;
    case "image":
    case "imageReference":
      others.images.push(node);
      return;
    case "mdxjsEsm":
      parts.esm.push(node);
      return;
    case "mdxFlowExpression":
    case "mdxTextExpression":
      if (!isComment(node)) parts.expressions.push(node);
  }
}

function sortElement(element: JsxElement, parts: Sorted): void {
  if (element.name === "Tool") parts.tools.push(element);
  else if (element.name === "Param") parts.strayParams.push(element);
  else parts.elements.push(element);
}

/** Whether a node is no prose. */
function isCut(node: Nodes): boolean {
  if (isJsx(node)) return node.name === "Tool" || node.name === "Param";
  if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression") return isComment(node);
  return node.type === "yaml" || node.type === "mdxjsEsm";
}

/** Whether an expression holds comments alone. */
export function isComment(node: ExpressionNode): boolean {
  const program = node.data?.estree;
  return program?.body.length === 0 && (program.comments ?? []).length > 0;
}

/** Whether a node is content in an element that should have no prose. */
export function isStray(node: Nodes): boolean {
  if (node.type === "text") return node.value.trim() !== "";
  if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression") return !isComment(node);
  return isJsx(node) || ["inlineCode", "heading", "image", "thematicBreak", "definition"].includes(node.type);
}

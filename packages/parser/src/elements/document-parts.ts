import { defined } from "@mdx-ai/base";
import type { TextRange } from "@mdx-ai/base/schema";
import type { Code, Nodes, Root } from "mdast";
import { ELEMENTS } from "../element-names.ts";
import { endOf, isJsx, type JsxElement, nodesFrom, startOf } from "../markdown/syntax-tree.ts";
import type { ProseFile } from "../types/agent-definition.ts";
import { htmlComments, withoutComments } from "./html-problems.ts";

/** The parts of a document other than prose, each in the order of the file. */
export interface DocumentParts {
  readonly tools: readonly JsxElement[];
  readonly agents: readonly JsxElement[];
  /** `<Param>` and `<Example>` elements outside of tools. */
  readonly strays: readonly JsxElement[];
  /** All other elements, which only MDX has. */
  readonly elements: readonly JsxElement[];
  /** Ranges without prose: frontmatter, elements of agent.mdx, statements and comments. */
  readonly cuts: readonly TextRange[];
  /** The last code block outside of tools. */
  readonly lastCode?: Code;
}

/** Elements that are no prose. In MDX, an `<Example>` outside of a tool is a component of the author's. */
const NO_PROSE = { markdown: ELEMENTS, mdx: ["Tool", "Param", "Agent"] };

/** Sorts the nodes of a document in one walk; `text` is what it was parsed from. */
export function documentParts(tree: Root, text: string, kind: ProseFile["kind"] = "markdown"): DocumentParts {
  const lists: ElementLists = { tools: [], agents: [], strays: [], elements: [] };
  const cuts: TextRange[] = [];
  let lastCode: Code | undefined;
  const isCut = (node: Nodes): boolean => isNoProse(node, NO_PROSE[kind]);
  for (const node of nodesFrom([tree], isCut)) {
    if (node.type === "code") lastCode = node;
    else if (isJsx(node)) listFor(node, lists, isCut(node)).push(node);
    if (node.type === "html") cuts.push(...commentsIn(node, text));
    else if (isCut(node)) cuts.push({ start: startOf(node), end: endOf(node) });
  }
  return { ...lists, cuts, ...defined({ lastCode }) };
}

interface ElementLists {
  readonly tools: JsxElement[];
  readonly agents: JsxElement[];
  readonly strays: JsxElement[];
  readonly elements: JsxElement[];
}

function listFor(
  { name }: JsxElement,
  { tools, agents, strays, elements }: ElementLists,
  isCut: boolean,
): JsxElement[] {
  if (name === "Tool") return tools;
  if (name === "Agent") return agents;
  return isCut ? strays : elements;
}

const commentsIn = (html: Nodes, text: string): readonly TextRange[] =>
  htmlComments(text.slice(startOf(html), endOf(html))).map(({ start, end }) => ({
    start: startOf(html) + start,
    end: startOf(html) + end,
  }));

function isNoProse(node: Nodes, elements: readonly string[]): boolean {
  if (isJsx(node)) return elements.includes(node.name ?? "");
  return isComment(node) || node.type === "yaml" || node.type === "mdxjsEsm";
}

/** Whether a node holds comments alone. In Markdown no other expression exists. */
export function isComment(node: Nodes): boolean {
  if (node.type !== "mdxFlowExpression" && node.type !== "mdxTextExpression") return false;
  const program = node.data?.estree;
  return (
    program === undefined || program === null || (program.body.length === 0 && (program.comments ?? []).length > 0)
  );
}

/** Whether a node is content in an element that should have no prose. */
export function isStray(node: Nodes): boolean {
  if (node.type === "text") return node.value.trim() !== "";
  if (node.type === "html") return withoutComments(node.value).trim() !== "";
  if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression") return !isComment(node);
  return isJsx(node) || ["inlineCode", "heading", "image", "thematicBreak", "definition"].includes(node.type);
}

import type { Nodes, Root, RootContent } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { JavaScriptInText } from "./javascript-in-text.ts";
import { noteMarkers, noteOpenings } from "./parser-notes.ts";

/** `<Tool …>` and similar elements, on lines of its own or within a line of text. */
export type JsxElement = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;
/** `import` and `export` at the start of a line. */
export type EsmNode = Extract<Nodes, { type: "mdxjsEsm" }>;
/** `{…}`. */
export type ExpressionNode = Extract<Nodes, { type: "mdxFlowExpression" | "mdxTextExpression" }>;
/** A node on lines of its own. */
export type Block = RootContent;

const acornOptions = { ecmaVersion: 2024, sourceType: "module" } as const;
const markdownProcessor = unified().use(remarkParse).use(remarkFrontmatter).use(noteMarkers).freeze();

/** What the parser threw at the first syntax error. */
export interface FailedMdx {
  readonly error: unknown;
  /** The last `{` or `<` that was read as the start of an expression or a tag. */
  readonly opening: number | undefined;
}

/** Parses MDX up to its first syntax error. Never throws. */
export function parseMdx(text: string): { readonly tree: Root } | FailedMdx {
  let opening: number | undefined;
  const note = (offset: number): void => {
    opening = offset;
  };
  try {
    const options = { acorn: new JavaScriptInText(text), acornOptions, addResult: true };
    return { tree: markdownProcessor().use(remarkMdx, options).use(noteOpenings, note).parse(text) };
  } catch (error) {
    return { error, opening };
  }
}

/** Parses CommonMark with frontmatter, which has no syntax errors. */
export function parseMarkdown(text: string): Root {
  return markdownProcessor.parse(text);
}

/** Narrows to JSX. */
export function isJsx(node: Nodes): node is JsxElement {
  return node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
}

/** Offset of a node's first character. */
export function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}

/** Offset after a node's last character. */
export function endOf(node: Nodes): number {
  return node.position?.end.offset ?? 0;
}

/** The node's children, or none. */
export function childrenOf(node: Nodes): readonly Nodes[] {
  return "children" in node ? node.children : [];
}

/** The `<Param>` elements of an element, without those inside another `<Param>` or an `<Example>`, in the order of the file. */
export function innerParams(element: JsxElement): readonly JsxElement[] {
  const found: JsxElement[] = [];
  const waiting: Nodes[] = [...element.children].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isJsx(node) && node.name === "Param") found.push(node);
    else if (!isJsx(node) || node.name !== "Example") waiting.push(...[...childrenOf(node)].reverse());
  }
  return found;
}

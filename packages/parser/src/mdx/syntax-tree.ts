import type { Nodes, Root, RootContent } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { type Data, type Processor, unified } from "unified";
import { JavaScriptInText } from "./javascript-in-text.ts";
import { type MdxFailure, readFailedAsText } from "./lenient-mdx.ts";

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

/** MDX that has syntax errors. */
export interface FailedMdx {
  readonly first: MdxFailure;
  /** Those that the parser finds if whatever fails is text, in the order in which it reads. */
  readonly further: readonly MdxFailure[];
}

/** Parses MDX. Never throws. */
export function parseMdx(text: string): { readonly tree: Root } | FailedMdx {
  const failures: MdxFailure[] = [];
  const note = (failure: MdxFailure): void => {
    failures.push(failure);
  };
  try {
    const options = { acorn: new JavaScriptInText(text), acornOptions, addResult: true };
    const tree = markdownProcessor().use(remarkMdx, options).use(readFailedAsText, note).parse(text);
    const [first, ...further] = failures;
    return first === undefined ? { tree } : { first, further };
  } catch (error) {
    // It may follow from those before it.
    const [first = { error }, ...further] = failures;
    return { first, further };
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
export const innerParams = (element: JsxElement): readonly JsxElement[] =>
  [...nodesWithin(element, ["Param", "Example"])].filter(isJsx).filter(({ name }) => name === "Param");

/** The nodes within an element, in the order of the file, without those within elements of some names. */
export function* nodesWithin(element: JsxElement, closed: readonly string[] = []): Generator<Nodes> {
  const waiting: Nodes[] = [...element.children].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    if (!isJsx(node) || !closed.includes(node.name ?? "")) waiting.push(...[...childrenOf(node)].reverse());
  }
}

declare module "mdast" {
  interface RootData {
    /** The offsets of all backslashes that escape a character. */
    escapes?: number[];
    /** The offsets of the braces around expressions in text, those in the texts of images too, which have no nodes. */
    braces?: number[];
  }
}

type MdastExtension = Exclude<NonNullable<Data["fromMarkdownExtensions"]>[number], readonly unknown[]>;
type Handle = NonNullable<MdastExtension["enter"]>[string];

/** A plugin that keeps the offsets of escapes and braces in the data of the root. */
function noteMarkers(this: Processor): void {
  const data = this.data();
  const enter = { escapeMarker: noting("escapes"), mdxTextExpressionMarker: noting("braces") };
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), { enter }];
}

function noting(kind: "escapes" | "braces"): Handle {
  return function (token) {
    const [root] = this.stack;
    if (root?.type !== "root") return;
    const { data = {} } = root;
    const offsets = data[kind] ?? [];
    offsets.push(token.start.offset);
    root.data = data;
    data[kind] = offsets;
  };
}

import { defaultHandlers, type Handle, toMdast } from "hast-util-to-mdast";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import type { HypertextElement, HypertextNode } from "./jsx.ts";

type Handlers = NonNullable<Options["handlers"]>;
type Write = NonNullable<Handlers["text"]>;
type MarkdownNode = Parameters<typeof toMarkdown>[0];
type Table = Extract<MarkdownNode, { type: "table" }>;
type TableRow = Extract<MarkdownNode, { type: "tableRow" }>;
type TableCell = Extract<MarkdownNode, { type: "tableCell" }>;
type Deletion = Extract<MarkdownNode, { type: "delete" }>;

/** Writes a hypertext tree as Markdown. Elements that HTML does not know keep their tags: prompts are often marked up with such. */
export function hypertextToMarkdown(children: readonly HypertextNode[]): string {
  const document = { type: "root" as const, children: withLiteralTags(children) };
  const tree = toMdast(document, { newlines: true, handlers: { [TAG]: literalTag } });
  return toMarkdown(tree, {
    bullet: "-",
    emphasis: "*",
    fences: true,
    listItemIndent: "one",
    rule: "-",
    handlers: tableHandlers,
  });
}

/** The element that represents a literal tag: it counts as visible content, so that spaces beside it are kept. */
const TAG = "embed";

/** The tree with each unknown element replaced by its opening tag, its content and its closing tag. */
function withLiteralTags(nodes: readonly HypertextNode[]): HypertextNode[] {
  return nodes.flatMap((node) => {
    if (node.type === "text") return [node];
    const children = withLiteralTags(node.children);
    if (Object.hasOwn(defaultHandlers, node.tagName)) return [{ ...node, children }];
    const opening = [node.tagName, ...Object.entries(node.properties).map(attributeText)].join(" ");
    if (children.length === 0) return [tagElement(`<${opening} />`)];
    return [tagElement(`<${opening}>`), ...children, tagElement(`</${node.tagName}>`)];
  });
}

function tagElement(text: string): HypertextElement {
  return { type: "element", tagName: TAG, properties: { text }, children: [] };
}

const literalTag: Handle = (_state, element) => {
  const { text } = element.properties;
  return typeof text === "string" ? { type: "html", value: text } : undefined;
};

function attributeText([name, value]: readonly [string, HypertextElement["properties"][string]]): string {
  if (value === true) return name;
  const text = Array.isArray(value) ? value.join(" ") : String(value);
  return `${name === "className" ? "class" : name}="${text.replaceAll('"', "&quot;")}"`;
}

/** A table as in GitHub's Markdown, one row a line; its first row is the head, which that format requires. */
const table: Write = (node: Table, _parent, state, info) => {
  const [head = "| |", ...body] = node.children.map((row) => state.handle(row, node, state, info));
  const columns = Math.max(1, node.children[0]?.children.length ?? 0);
  return [head, `|${" --- |".repeat(columns)}`, ...body].join("\n");
};

const tableRow: Write = (node: TableRow, _parent, state, info) => {
  const cells = node.children.map((cell) => state.handle(cell, node, state, info));
  return `| ${cells.join(" | ")} |`;
};

const tableCell: Write = (node: TableCell, _parent, state, info) => {
  const exit = state.enter("phrasing");
  const text = state.containerPhrasing(node, { ...info, before: " ", after: " " });
  exit();
  return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
};

const deletion: Write = (node: Deletion, _parent, state, info) => {
  const exit = state.enter("phrasing");
  const text = state.containerPhrasing(node, { ...info, before: "~", after: "~" });
  exit();
  return `~~${text}~~`;
};

/** Writers for the nodes that Markdown has only as an extension. */
const tableHandlers: Handlers = { table, tableRow, tableCell, delete: deletion };

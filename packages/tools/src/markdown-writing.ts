import type { Options } from "mdast-util-to-markdown";

type Handlers = NonNullable<Options["handlers"]>;
type Write = NonNullable<Handlers["text"]>;
type MarkdownNode = Parameters<typeof import("mdast-util-to-markdown").toMarkdown>[0];
type Table = Extract<MarkdownNode, { type: "table" }>;
type TableRow = Extract<MarkdownNode, { type: "tableRow" }>;
type TableCell = Extract<MarkdownNode, { type: "tableCell" }>;
type Deletion = Extract<MarkdownNode, { type: "delete" }>;

/** How Markdown is written for models. */
export const MARKDOWN_STYLE: Options = {
  bullet: "-",
  emphasis: "*",
  fences: true,
  listItemIndent: "one",
  rule: "-",
};

/** A table in GitHub's Markdown, one row per line; its first row is the header, which the format requires. */
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

/** Writers for nodes of Markdown extensions. */
export const extensionWriters: Handlers = { table, tableRow, tableCell, delete: deletion };

import type { Options, toMarkdown } from "mdast-util-to-markdown";

type Handlers = NonNullable<Options["handlers"]>;
type Handle = NonNullable<Handlers["text"]>;
type MarkdownNode = Parameters<typeof toMarkdown>[0];
type Table = Extract<MarkdownNode, { type: "table" }>;
type TableRow = Extract<MarkdownNode, { type: "tableRow" }>;
type TableCell = Extract<MarkdownNode, { type: "tableCell" }>;
type Deletion = Extract<MarkdownNode, { type: "delete" }>;

/** A table as GitHub's Markdown has it, one row a line; its first row is the head, since that form knows no table without. */
const table: Handle = (node: Table, _parent, state, info) => {
  const [head = "| |", ...body] = node.children.map((row) => state.handle(row, node, state, info));
  const columns = Math.max(1, node.children[0]?.children.length ?? 0);
  return [head, `|${" --- |".repeat(columns)}`, ...body].join("\n");
};

const tableRow: Handle = (node: TableRow, _parent, state, info) => {
  const cells = node.children.map((cell) => state.handle(cell, node, state, info));
  return `| ${cells.join(" | ")} |`;
};

const tableCell: Handle = (node: TableCell, _parent, state, info) => {
  const exit = state.enter("phrasing");
  const text = state.containerPhrasing(node, { ...info, before: " ", after: " " });
  exit();
  return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
};

const deletion: Handle = (node: Deletion, _parent, state, info) => {
  const exit = state.enter("phrasing");
  const text = state.containerPhrasing(node, { ...info, before: "~", after: "~" });
  exit();
  return `~~${text}~~`;
};

/** Writers for the nodes that Markdown has only as an extension. */
export const tableHandlers: Handlers = { table, tableRow, tableCell, delete: deletion };

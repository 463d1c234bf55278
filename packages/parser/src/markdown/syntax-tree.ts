import type { Nodes, RootContent, Yaml } from "mdast";

/** `<Tool …>` and similar elements, on lines of its own or within a line of text. */
export type JsxElement = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;
/** A node on lines of its own. */
export type Block = RootContent;

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

/** Offset of the first character of the YAML in a block of frontmatter. */
export function yamlStart(block: Yaml, text: string): number {
  const lineBreak = /\r\n?|\n/g;
  lineBreak.lastIndex = startOf(block);
  lineBreak.test(text);
  return lineBreak.lastIndex;
}

/** The node's children, or none. */
export function childrenOf(node: Nodes): readonly Nodes[] {
  return "children" in node ? node.children : [];
}

/** The `<Param>` elements of an element, without those inside another `<Param>` or an `<Example>`, in the order of the file. */
export const innerParams = (element: JsxElement): readonly JsxElement[] =>
  [...nodesWithin(element, ["Param", "Example"])].filter(isJsx).filter(({ name }) => name === "Param");

/** The nodes within an element, in the order of the file, without those within elements of some names. */
export const nodesWithin = (element: JsxElement, closed: readonly string[] = []): Generator<Nodes> =>
  nodesFrom(element.children, (node) => isJsx(node) && closed.includes(node.name ?? ""));

/** These nodes and all within them, in the order of the file, without those within nodes that `isClosed` accepts. */
export function* nodesFrom(
  nodes: readonly Nodes[],
  isClosed: (node: Nodes) => boolean = () => false,
): Generator<Nodes> {
  const waiting = [...nodes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const children = isClosed(node) ? [] : childrenOf(node);
    // A node may have more children than a call may have arguments.
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
}

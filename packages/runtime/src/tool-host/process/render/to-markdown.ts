import { defaultHandlers, type Handle, toMdast } from "hast-util-to-mdast";
import { toMarkdown } from "mdast-util-to-markdown";
import type { HypertextElement, HypertextNode } from "./hypertext.ts";
import { tableHandlers } from "./table-handlers.ts";

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

/** The element that stands for a tag to be written as it is: one that counts as visible content, so that spaces beside it stay. */
const TAG = "embed";

/** The tree with the unknown elements taken out: what they hold stands between their tags. */
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

import { defaultHandlers, type Handle, toMdast } from "hast-util-to-mdast";
import { toMarkdown } from "mdast-util-to-markdown";
import type { HypertextNode } from "./hypertext.ts";
import { tableHandlers } from "./table-handlers.ts";

/** Writes a hypertext tree as Markdown. Elements that HTML does not know keep their tags: prompts are often marked up with such. */
export function hypertextToMarkdown(children: HypertextNode[]): string {
  const handlers = Object.fromEntries(unknownTags(children).map((tag) => [tag, keepTags]));
  const tree = toMdast({ type: "root", children }, { newlines: true, handlers });
  return toMarkdown(tree, {
    bullet: "-",
    emphasis: "*",
    fences: true,
    listItemIndent: "one",
    rule: "-",
    handlers: tableHandlers,
  });
}

/** Tags in the tree that are neither HTML's nor handled otherwise. */
function unknownTags(nodes: readonly HypertextNode[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.type === "text") return [];
    const inside = unknownTags(node.children);
    return Object.hasOwn(defaultHandlers, node.tagName) ? inside : [node.tagName, ...inside];
  });
}

const keepTags: Handle = (state, element) => {
  const attributes = Object.entries(element.properties).map(([name, value]) => attributeText(name, value));
  const opening = [element.tagName, ...attributes].join(" ");
  if (element.children.length === 0) return { type: "html", value: `<${opening} />` };
  return [
    { type: "html", value: `<${opening}>` },
    ...state.all(element),
    { type: "html", value: `</${element.tagName}>` },
  ];
};

function attributeText(name: string, value: unknown): string {
  if (value === true) return name;
  const text = Array.isArray(value) ? value.join(" ") : String(value);
  return `${name === "className" ? "class" : name}="${text.replaceAll('"', "&quot;")}"`;
}

import { fromHtml } from "hast-util-from-html";
import { toMdast } from "hast-util-to-mdast";
import { toMarkdown } from "mdast-util-to-markdown";
import { extensionWriters, MARKDOWN_STYLE } from "../markdown-writing.ts";

type Root = ReturnType<typeof fromHtml>;
type Node = Root["children"][number];
type Element = Extract<Node, { type: "element" }>;
type Child = Element["children"][number];

/** Elements without text for a reader. */
const DROPPED: ReadonlySet<string> = words(
  "audio button canvas dialog embed form iframe input link meta noscript object script select style svg template textarea video",
);

/** Elements around the content of a page, if it does not mark its content. */
const AROUND: ReadonlySet<string> = words("nav footer aside");

/** Content deeper than this is left out: converting it would exhaust the stack. */
const MAX_DEPTH = 150;

/** Converting takes about a second for so many. */
const MAX_ELEMENTS = 20_000;

/** A page as Markdown. */
export interface ConvertedPage {
  readonly text: string;
  /** Whether content is missing, because the page has too much of it. */
  readonly isCut: boolean;
}

/**
 * The content of a page as Markdown, with absolute links: its `main` element, or its body without navigation. Starts with its
 * title, unless it starts with a heading. Throws a `RangeError` for elements within each other by thousands.
 */
export function htmlToMarkdown(html: string, url: URL): ConvertedPage {
  const document = fromHtml(html);
  const title = textOf(find(document, ({ tagName }) => tagName === "title"));
  const main = find(document, ({ tagName, properties }) => tagName === "main" || properties["role"] === "main");
  const content = new PageContent(baseOf(document, url), main === undefined ? AROUND : new Set());
  const children = content.of((main ?? document).children);
  const tree = toMdast({ type: "root", children }, { document: true });
  const text = toMarkdown(tree, { ...MARKDOWN_STYLE, handlers: extensionWriters }).trim();
  const isTitled = title === "" || text.startsWith("# ");
  return { text: isTitled ? text : `# ${title}\n\n${text}`.trimEnd(), isCut: content.isCut };
}

/** Links are relative to the page's `base`, or to its address. */
function baseOf(document: Root, url: URL): URL {
  const base = find(document, ({ tagName, properties }) => tagName === "base" && "href" in properties);
  return URL.parse(String(base?.properties["href"] ?? ""), url.href) ?? url;
}

/** The first matching element, without recursion. */
function find(document: Root, isMeant: (element: Element) => boolean): Element | undefined {
  const left: Node[] = document.children.toReversed();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.type !== "element") continue;
    if (isMeant(node)) return node;
    left.push(...node.children.toReversed());
  }
  return undefined;
}

function textOf(element: Element | undefined): string {
  const texts = (element?.children ?? []).map((child) => (child.type === "text" ? child.value : ""));
  return texts.join("").replace(/\s+/g, " ").trim();
}

/** Collects the nodes that a reader sees, with absolute addresses. */
class PageContent {
  readonly #base: URL;
  readonly #without: ReadonlySet<string>;
  #elements = 0;
  isCut = false;

  constructor(base: URL, without: ReadonlySet<string>) {
    this.#base = base;
    this.#without = without;
  }

  of(nodes: readonly Node[], depth = 0): Child[] {
    return nodes.flatMap((node): Child[] => {
      if (node.type === "text") return [node];
      if (node.type !== "element" || this.#isDropped(node)) return [];
      this.#elements += 1;
      if (depth >= MAX_DEPTH || this.#elements > MAX_ELEMENTS) {
        this.isCut = true;
        return [];
      }
      return [this.#addressed({ ...node, children: this.of(node.children, depth + 1) })];
    });
  }

  #isDropped(element: Element): boolean {
    return DROPPED.has(element.tagName) || this.#without.has(element.tagName) || isHidden(element);
  }

  /** A `data:` address would be long, and a `javascript:` one is no link: then only the text remains. */
  #addressed(element: Element): Child {
    const name = ADDRESSES[element.tagName];
    if (name === undefined) return element;
    const { [name]: address, alt, ...properties } = element.properties;
    const url = typeof address === "string" ? URL.parse(address, this.#base.href) : null;
    if (url !== null && /^(https?|mailto):$/.test(url.protocol)) {
      return { ...element, properties: { ...properties, alt, [name]: url.href } };
    }
    return element.tagName === "img"
      ? { type: "text", value: typeof alt === "string" ? alt : "" }
      : { ...element, tagName: "span", properties: {} };
  }
}

const ADDRESSES: Readonly<Record<string, string>> = { a: "href", img: "src" };

const isHidden = ({ properties: { hidden, ariaHidden, style } }: Element): boolean =>
  (hidden !== undefined && hidden !== null && hidden !== false) ||
  ariaHidden === "true" ||
  (typeof style === "string" && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style));

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

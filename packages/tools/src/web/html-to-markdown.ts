import { fromHtml } from "hast-util-from-html";
import { toMdast } from "hast-util-to-mdast";
import { toMarkdown } from "mdast-util-to-markdown";
import { extensionWriters, MARKDOWN_STYLE } from "../markdown-writing.ts";
import { boundedTable, type Element, isCell, spanned, withoutSpans } from "./bounded-table.ts";

type Root = ReturnType<typeof fromHtml>;
type Node = Root["children"][number];
type Child = Element["children"][number];

/** Elements without text for a reader. */
const DROPPED: ReadonlySet<string> = words(
  "audio button canvas datalist dialog embed form iframe input link math meta noembed noframes noscript object script select style svg template textarea title video",
);

/** Elements that end a line, also if they are empty. */
const BLOCKS: ReadonlySet<string> = words(
  "address article aside blockquote body br caption center dd dir div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr html img legend li listing main nav ol p plaintext pre section summary table td th tr ul xmp",
);

/** Other elements that Markdown has something for, and what that is. Within itself it means nothing. */
const MEANINGS: Readonly<Record<string, string>> = {
  ...{
    a: "link",
    q: "quote",
    fieldset: "part",
    multicol: "part",
    picture: "part",
    tbody: "part",
    tfoot: "part",
    thead: "part",
  },
  ...{ b: "strong", strong: "strong", em: "emphasis", i: "emphasis", mark: "emphasis", u: "emphasis" },
  ...{ del: "deletion", s: "deletion", strike: "deletion" },
  ...{ code: "code", kbd: "code", samp: "code", tt: "code", var: "code" },
};

/** Elements that indent their lines in Markdown. */
const INDENTED: ReadonlySet<string> = words("blockquote dd dir dl dt li ol ul");

/** Elements around the content of a page, if it does not mark its content. */
const AROUND: ReadonlySet<string> = words("nav footer aside");

/** Content deeper than this is left out: converting it would exhaust the stack. */
const MAX_DEPTH = 150;

/** Deeper lists and quotes are not indented further: each line would begin with all of them. */
const MAX_INDENTS = 12;

/** Converting takes at most about a second for so many, as `PageContent` simplifies them. */
const MAX_ELEMENTS = 20_000;

/** Cells that others of the page may take by spanning columns and rows. */
const MAX_SPANNED = 2_000;

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

/**
 * Collects the nodes that a reader sees, with absolute addresses. Leaves out elements that change nothing in Markdown, whose number
 * and depth the conversion would not withstand.
 */
class PageContent {
  readonly #base: URL;
  readonly #without: ReadonlySet<string>;
  #elements = 0;
  #spanned = 0;
  isCut = false;

  constructor(base: URL, without: ReadonlySet<string>) {
    this.#base = base;
    this.#without = without;
  }

  /** `around` has what the elements around mean. */
  of(nodes: readonly Node[], depth = 0, around: readonly string[] = []): Child[] {
    const children: Child[] = [];
    let texts: string[] = [];
    const endText = (): void => {
      if (texts.length > 0) children.push({ type: "text", value: texts.join("") });
      texts = [];
    };
    for (const node of nodes) {
      for (const child of this.#shown(node, depth, around)) {
        if (child.type === "text") {
          texts.push(child.value);
        } else {
          endText();
          children.push(child);
        }
      }
    }
    endText();
    return children;
  }

  #shown(node: Node, depth: number, around: readonly string[]): readonly Child[] {
    if (node.type === "text") return [node];
    if (node.type !== "element" || this.#isDropped(node)) return [];
    this.#elements += 1;
    if (depth >= MAX_DEPTH || this.#elements > MAX_ELEMENTS) {
      this.isCut = true;
      return [];
    }
    const { tagName } = node;
    const isIndented = INDENTED.has(tagName);
    const meaning = isIndented ? "indent" : MEANINGS[tagName];
    const children = this.of(node.children, depth + 1, meaning === undefined ? around : [...around, meaning]);
    if (isIndented && around.filter((each) => each === "indent").length >= MAX_INDENTS) {
      return [{ ...node, tagName: "div", properties: {}, children }];
    }
    if (BLOCKS.has(tagName)) return [this.#addressed(this.#bounded({ ...node, children }))];
    if (meaning === undefined || around.includes(meaning) || children.every(isBlank)) return children;
    return [this.#addressed({ ...node, children })];
  }

  /** An element of a table, without spans or rows that would make it huge. */
  #bounded(element: Element): Element {
    if (element.tagName === "table") {
      const table = boundedTable(element);
      this.isCut ||= table !== element;
      return table;
    }
    if (!isCell(element)) return element;
    this.#spanned += spanned(element);
    return this.#spanned > MAX_SPANNED ? withoutSpans(element) : element;
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

/** Whether a node has nothing that a reader sees. */
const isBlank = (node: Child): boolean => node.type === "text" && node.value.trim() === "";

const isHidden = ({ properties: { hidden, ariaHidden, style } }: Element): boolean =>
  (hidden !== undefined && hidden !== null && hidden !== false) ||
  ariaHidden === "true" ||
  (typeof style === "string" && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style));

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

import type { Heading } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { isComment } from "../elements/document-parts.ts";
import { hanging, hangingText, type Slice } from "../markdown/prose-slices.ts";
import { type Block, endOf, isJsx, startOf } from "../markdown/syntax-tree.ts";

/** The sections that the specification names. */
export const sectionNames = ["purpose", "capabilities", "constraints", "personality"] as const;

/** The name of such a section. */
export type SectionName = (typeof sectionNames)[number];

/** A heading that starts a part of the prose, with what follows up to the next one. */
export interface Section {
  readonly kind: SectionName | "title" | "other";
  readonly heading: Heading;
  readonly body: string;
  readonly blocks: readonly Block[];
}

/** The document whose identity is read: its blocks in order, its length and a way to slice its prose. */
export interface Prose {
  readonly blocks: readonly Block[];
  readonly end: number;
  readonly slice: Slice;
}

/** Wrappers within wrappers that are looked into; a stack holds some thousands. */
const MAX_WRAPPERS = 100;

const titlePattern = /^agent\s*[:\uFF1A]\s*(\S[\s\S]*)$/i;

/** A wrapper such as `<identity>` around headings does not hide them: its tags become part of the text around. */
function unwrapped(block: Block, depth = 0): readonly Block[] {
  if (!isJsx(block) || block.name === "Tool" || depth >= MAX_WRAPPERS) return [block];
  const inner = block.children.flatMap((child) => unwrapped(child, depth + 1));
  return inner.some((child) => child.type === "heading") ? inner : [block];
}

/**
 * The sections of a document: the first `Agent: Name` heading is the title; a heading of a known name starts a section at any depth; any
 * other heading does unless it is deeper within one.
 */
export function sectionsOf(prose: Prose): readonly Section[] {
  const blocks = prose.blocks.flatMap((block) => unwrapped(block));
  const borders: { readonly heading: Heading; readonly index: number; readonly kind: Section["kind"] }[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.type !== "heading") continue;
    const kind = kindOf(block, !borders.some((border) => border.kind === "title"));
    const current = borders.at(-1);
    const within = current !== undefined && current.kind !== "title" && block.depth > current.heading.depth;
    if (kind !== "other" || !within) borders.push({ heading: block, index, kind });
  }
  return borders.map(({ heading, index, kind }, position) => {
    const next = borders[position + 1];
    const body = prose.slice(endOf(heading), next === undefined ? prose.end : startOf(next.heading));
    return { kind, heading, body, blocks: blocks.slice(index + 1, next?.index) };
  });
}

function kindOf(heading: Heading, untitled: boolean): Section["kind"] {
  if (untitled && titleName(heading) !== undefined) return "title";
  const plain = headingText(heading)
    .replace(/\s*[:\uFF1A]$/, "")
    .toLowerCase();
  return sectionNames.find((name) => name === plain) ?? "other";
}

/** A name with an expression in it is known only when the document is run. */
export function staticName(heading: Heading): string | undefined {
  const isDynamic = heading.children.some((child) => child.type === "mdxTextExpression" && !isComment(child));
  return isDynamic ? undefined : titleName(heading);
}

function titleName(heading: Heading): string | undefined {
  return titlePattern.exec(headingText(heading))?.[1]?.trim();
}

/** The items of all lists; other blocks are items too, and a heading takes what follows it beneath itself. */
export function itemsOf(blocks: readonly Block[], slice: Slice): readonly string[] {
  const items: string[] = [];
  let isBeneathHeading = false;
  for (const block of blocks) {
    const text = slice(startOf(block), endOf(block));
    if (block.type === "heading") {
      items.push(text.replace(/^#+\s*/, ""));
      isBeneathHeading = true;
    } else if (isBeneathHeading) items.push([items.pop(), indented(text)].join("\n"));
    else items.push(...itemsOfBlock(block, text, slice));
  }
  return items.map((item) => item.trimEnd()).filter((item) => item !== "");
}

function itemsOfBlock(block: Block, text: string, slice: Slice): readonly string[] {
  if (block.type === "thematicBreak") return [];
  return block.type === "list" ? block.children.map((item) => hangingText(item, slice)) : [hanging(text, 0)];
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

/** The plain text of a heading: without marks and comments, with its expressions in braces. */
export function headingText(heading: Heading): string {
  const texts = heading.children.map((child) => {
    if (child.type !== "mdxTextExpression") return textOf(child);
    return isComment(child) ? "" : `{${child.value}}`;
  });
  return texts.join("").trim();
}

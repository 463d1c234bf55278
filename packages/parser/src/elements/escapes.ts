import type { Root, Text } from "mdast";
import { ELEMENT_NAMES } from "../element-names.ts";
import { markdown } from "../markdown/markdown.ts";
import { sourceOf, virtualFile } from "../markdown/messages.ts";
import { endOf, isJsx, nodesFrom, startOf } from "../markdown/syntax-tree.ts";
import { isTooComplex } from "../markdown/watchdog.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import { elements } from "./elements.ts";

/** What would become an element, a comment or a block of HTML without its escape. */
const NEEDED = new RegExp(`^(?:</?(?:${ELEMENT_NAMES})\\b|<!--|\\{/\\*)`);
const BLOCK = /^<[A-Za-z/!?]/;

/** The edits that remove the escapes of `{`, `}` and `<` from the prose of a Markdown agent.mdx, which needs none. */
export async function escapeRemovals(text: string): Promise<readonly TextEdit[]> {
  const file = virtualFile(text, "agent.mdx");
  const prose = String(file);
  try {
    const processor = markdown(prose).use(elements);
    const tree = await processor.run(processor.parse(file), file);
    const backslashes = textsOf(tree).flatMap((node) => escapesIn(node, prose));
    return backslashes.map((start) => sourceOf(file).fileEdit({ start, end: start + 1, text: "" }));
  } catch (error) {
    if (isTooComplex(error)) return [];
    throw error;
  }
}

/** The texts outside of code and elements, in the order of the file. */
const textsOf = (tree: Root): readonly Text[] => [...nodesFrom([tree], isJsx)].filter((node) => node.type === "text");

function escapesIn(node: Text, prose: string): readonly number[] {
  const start = startOf(node);
  const found = [...prose.slice(start, endOf(node)).matchAll(/\\[\s\S]/g)];
  return found.map(({ index }) => start + index).filter((offset) => isNeedless(prose, offset));
}

function isNeedless(prose: string, offset: number): boolean {
  const escaped = prose.slice(offset + 1, offset + 20);
  if (!/^[{}<]/.test(escaped) || NEEDED.test(escaped)) return false;
  const isLineStart = /(?:^|[\r\n])[ \t>*+.)\d-]*$/.test(prose.slice(Math.max(0, offset - 100), offset));
  return !(isLineStart && BLOCK.test(escaped));
}

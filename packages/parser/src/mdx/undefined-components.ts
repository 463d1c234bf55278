import type { TextRange } from "@mdx-ai/base/schema";
import type { Root } from "mdast";
import { endOf, isJsx, nodesFrom, startOf } from "../markdown/syntax-tree.ts";
import { type Problem, quoted } from "../report.ts";

/** The ranges of the elements and expressions of a document, in its order, without emptied elements. */
export const codeRanges = (tree: Root): readonly TextRange[] =>
  Array.from(nodesFrom([tree])).flatMap((node) => {
    const isCode = isJsx(node) ? node.name !== null : /^mdx(?:Flow|Text)Expression$/.test(node.type);
    return isCode ? [{ start: startOf(node), end: endOf(node) }] : [];
  });

/** The line that the compiler adds for a component without a declaration. The program throws there, whatever it renders. */
const REFERENCE = /^ *if \(!([\p{ID_Start}$_][\p{ID_Continue}$]*)\) _missingMdxReference\("\1", true\);$/gmu;

/** The components of a compiled document that nothing imports or declares, each at its first tag. */
export const undefinedComponents = (program: string, text: string, ranges: readonly TextRange[]): readonly Problem[] =>
  Array.from(program.matchAll(REFERENCE), ([, name = ""]) => ({
    rule: "mdx-syntax",
    offset: tagOffset(name, text, ranges),
    message: `the component ${quoted(name)} is neither imported nor declared`,
    hint: "correct the name, or write `\\<` for the character itself: a file with `import` or `export` is MDX",
  }));

function tagOffset(name: string, text: string, ranges: readonly TextRange[]): number {
  const tag = new RegExp(`<\\s*${name.replaceAll("$", "\\$")}(?![\\p{ID_Continue}$])`, "u");
  for (const { start, end } of ranges) {
    const index = text.slice(start, end).search(tag);
    if (index !== -1) return start + index;
  }
  return 0;
}

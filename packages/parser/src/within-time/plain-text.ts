import { containersOf, frontmatterOf, linesOutsideCode } from "./container-excess.ts";

/** UTF-16 code units of a frontmatter. */
const longestFrontmatter = 4_000;
/** UTF-16 code units of one paragraph, heading or list item. */
const longestBlock = 4_000;
/** Characters of one block that may open or close something: the parser looks for the other end of each. */
const mostMarks = 40;
/** Columns before a line, which nest lists. */
const deepestIndent = 12;

const marks = /[*_`[\]!&\\~]/g;
const code = /[{}<]|^(?:import|export)\b/;
const startOfBlock = /^[ \t>]*(?:#|(?:[-+*]|\d{1,9}[.)])(?=\s|$))/;

/**
 * Whether a Markdown text is so plain that parsing it takes a time in proportion to its length: nothing in it is code, nests deep or
 * has many marks in one block. False for anything that is not surely so.
 */
export function isPlainText(text: string): boolean {
  if (frontmatterOf(text).length > longestFrontmatter) return false;
  let block = { length: 0, marks: 0 };
  for (const { line } of linesOutsideCode(text)) {
    if (!isPlainLine(line)) return false;
    if (line.trim() === "" || startOfBlock.test(line)) block = { length: 0, marks: 0 };
    block.length += line.length;
    block.marks += line.match(marks)?.length ?? 0;
    if (block.length > longestBlock || block.marks > mostMarks) return false;
  }
  return true;
}

function isPlainLine(line: string): boolean {
  const indent = /^[ \t>]*/.exec(line)?.[0].replaceAll("\t", "    ").length ?? 0;
  return indent <= deepestIndent && !code.test(line) && containersOf(line).markers.length <= 2;
}

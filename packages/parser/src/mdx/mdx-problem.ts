import type { VFileMessage } from "vfile-message";
import { ELEMENT_NAMES } from "../element-names.ts";
import { tagProblem } from "../elements/tag-problem.ts";
import { offsetOf } from "../markdown/messages.ts";
import type { Problem } from "../report.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import { javaScriptMistake } from "./watched-acorn.ts";

const COMMENT = /<!--([^\r\n]*?)-->/y;
const ADDRESS = /<((?:https?|ftp|mailto):[^\s<>()]*)>/y;
const ELEMENT = new RegExp(`^</?(?:${ELEMENT_NAMES})\\b`);

/** What the compiler of MDX throws, with the fix where one line needs one. */
export function mdxProblem(thrown: VFileMessage, text: string): Problem {
  const { reason } = thrown;
  const offset = Math.min(offsetOf(thrown) ?? text.length, text.length);
  const start = text.lastIndexOf("<", offset);
  const fix = start === -1 ? undefined : fixAt(text, start, offset);
  if (
    start !== -1 &&
    fix === undefined &&
    ELEMENT.test(text.slice(start, start + 20)) &&
    / tag\b| attribute /.test(reason)
  ) {
    return { ...tagProblem({ reason, start, offset }, text), rule: "mdx-syntax" };
  }
  const mistake = javaScriptMistake(thrown);
  const why = mistake === undefined ? "" : `: ${mistake}`;
  return {
    rule: "mdx-syntax",
    offset: fix?.start ?? offset,
    message: `${reason.charAt(0).toLowerCase()}${reason.slice(1)}${why}`,
    hint:
      fix === undefined
        ? "write `\\{` or `\\<` for the character itself: a file with `import` or `export` is MDX"
        : `write \`${fix.text}\``,
    ...(fix !== undefined && { fix }),
  };
}

/** A comment or an address of Markdown, or a `<` before what is no tag. */
function fixAt(text: string, start: number, offset: number): TextEdit | undefined {
  COMMENT.lastIndex = start;
  const comment = COMMENT.exec(text);
  if (comment !== null && !comment[1]?.includes("*/"))
    return { start, end: start + comment[0].length, text: `{/*${comment[1]}*/}` };
  ADDRESS.lastIndex = start;
  const address = ADDRESS.exec(text);
  if (address !== null) return { start, end: start + address[0].length, text: `[${address[1]}](${address[1]})` };
  return offset === start + 1 && /[\s\d=<!-]/.test(text.charAt(offset))
    ? { start, end: start + 1, text: "\\<" }
    : undefined;
}

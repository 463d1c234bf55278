import type { CodeFence } from "../code-fences.ts";
import type { SyntaxProblem } from "./syntax-message.ts";

/** Finds the closing tag of an element at the start of a line. */
export function closingTag(element: "Tool" | "Example"): RegExp {
  return new RegExp(`^[ \\t]*</${element}\\s*>`, "m");
}

/** A code fence that is not closed and swallows the closing tag of the element that holds it. */
export function unclosedFence(fence: CodeFence, element: "Tool" | "Example", text: string): SyntaxProblem {
  const offset = fence.start + (closingTag(element).exec(text.slice(fence.start))?.index ?? 0);
  const fix = { start: offset, end: offset, text: `${fence.marker}\n` };
  return {
    problem: {
      rule: "mdx-closing-tag",
      offset,
      message: `unexpected \`</${element}>\` within the code block, expected a closing code fence ${named(fence)}`,
      hint: `close the code block on a line of its own before \`</${element}>\``,
      fix,
    },
    repair: fix,
  };
}

/** "of 3 backticks". */
export function named(fence: CodeFence): string {
  const characters = fence.marker.startsWith("~") ? "tildes" : "backticks";
  return `of ${fence.marker.length} ${characters}`;
}

/** Offset after the line of an offset. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf("\n", offset);
  return newline === -1 ? text.length : newline + 1;
}

/** The closing tag of an element to put at an offset, on a line of its own. */
export function closingLine(element: "Tool" | "Example", place: number, text: string): string {
  return `${place > 0 && text[place - 1] !== "\n" ? "\n" : ""}</${element}>\n`;
}

import type { Root } from "mdast";
import type { Processor, Transformer } from "unified";
import { addSyntax } from "../markdown/markdown.ts";
import { offsetOf, reportTo } from "../markdown/messages.ts";
import type { Problem } from "../report.ts";
import { commentSyntax } from "./comment-syntax.ts";
import { type BrokenTag, elementSyntax } from "./element-syntax.ts";
import { flatTags } from "./flat-tags.ts";
import { COMMENT_HINT, htmlProblems } from "./html-problems.ts";
import { loneTagProblems } from "./lone-tag-problem.ts";
import { nestElements } from "./nested-elements.ts";
import { tagProblem } from "./tag-problem.ts";

declare module "vfile" {
  interface DataMap {
    /** Whether elements of the file could not be read, so that what they hold is not known. */
    hasLostElements?: boolean;
  }
}

/**
 * A plugin for Markdown with elements: `<Tool>`, `<Param>`, `<Example>` and `<Agent>` become elements, and comments of MDX become nodes. Each
 * mistake in them is reported once. Serves one parse.
 */
export function elements(this: Processor): Transformer<Root> {
  const broken = new Map<number, BrokenTag>();
  const comments = new Set<number>();
  addSyntax(this, {
    syntax: [elementSyntax((tag) => broken.set(tag.offset, tag)), commentSyntax((offset) => comments.add(offset))],
    nodes: flatTags(),
  });
  return (tree, file) => {
    const text = String(file);
    const html = htmlProblems(tree, text).filter(({ offset }) => !broken.has(offset));
    const inHtml = html.filter(({ rule }) => rule === "element-in-html").map(({ offset }) => offset);
    const lost = new Set([...broken.keys(), ...inHtml].map((offset) => nameAt(text, offset)));
    const problems = [
      ...[...broken.values()].map((tag) => brokenTagProblem(tag, text)),
      ...loneTagProblems(nestElements(tree), lost, text),
      ...[...comments].map(unclosedComment),
      ...html,
    ];
    const report = reportTo(file);
    for (const problem of problems) report(problem);
    file.data.hasLostElements ||= problems.some(
      ({ rule }) => rule.startsWith("element-") && rule !== "element-unknown",
    );
  };
}

const nameAt = (text: string, offset: number): string =>
  /^<\/?([A-Za-z]*)/.exec(text.slice(offset, offset + 20))?.[1] ?? "";

function brokenTagProblem({ offset: start, message }: BrokenTag, text: string): Problem {
  return tagProblem({ reason: message.reason, start, offset: offsetOf(message) ?? text.length }, text);
}

const unclosedComment = (offset: number): Problem => ({
  rule: "comment-unclosed",
  offset,
  message: "the comment is not closed, expected `*/}`",
  hint: COMMENT_HINT,
});

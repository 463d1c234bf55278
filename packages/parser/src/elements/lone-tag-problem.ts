import { closest } from "@mdx-ai/base";
import type { TextRange } from "@mdx-ai/base/schema";
import type { Nodes } from "mdast";
import { codeFences } from "../markdown/lines.ts";
import { endOf, type JsxElement, startOf } from "../markdown/syntax-tree.ts";
import { type Problem, quoted } from "../report.ts";
import type { LoneTag } from "./nested-elements.ts";
import { type FencedText, isContained, unclosedExampleProblem, unclosedToolProblem } from "./unclosed-problem.ts";

/** Tags for which a fix is searched: each search reads the text. */
const MAX_FIXED = 20;

/**
 * The mistakes of tags without a partner, in the order of the file. `lost` are the names of elements with an unreadable
 * tag: a closing tag of that name is not a mistake of its own, and neither is one whose opening tag is reported.
 */
export function loneTagProblems(tags: readonly LoneTag[], lost: ReadonlySet<string>, text: string): readonly Problem[] {
  const names = (type: LoneTag["type"]): ReadonlySet<string | null> =>
    new Set(tags.filter((tag) => tag.type === type).map(({ element }) => element.name));
  const [unclosed, stray] = [names("unclosed"), names("stray")];
  const own = tags.filter((tag, index) =>
    tag.type === "stray"
      ? !unclosed.has(tag.element.name) && !lost.has(tag.element.name ?? "")
      : !swallowsTool(tag, tags[index + 1]),
  );
  const fenced = { text, codeFences: own.length === 0 ? [] : codeFences(text) };
  return own.map((tag, index) => {
    if (tag.type === "stray") return strayProblem(tag.element);
    const isLine = tag.element.type === "mdxJsxFlowElement";
    if (isLine && stray.has(tag.element.name)) return crossedProblem(tag.element);
    return index < MAX_FIXED ? unclosedProblem(tag, fenced) : plainUnclosedProblem(tag.element);
  });
}

/** What leaves an example open may swallow the end of its tool. */
const swallowsTool = ({ element }: LoneTag, next: LoneTag | undefined): boolean =>
  element.name === "Tool" && next?.type === "unclosed" && next.element.name === "Example";

function unclosedProblem({ element, after }: LoneTag, fenced: FencedText): Problem {
  const span = { start: startOf(element), end: endOf(element) };
  const misspelled = after.map((node) => misspelledClosing(node, element)).find((found) => found !== undefined);
  if (misspelled !== undefined) return misspelled;
  if (element.name === "Param") return unclosedParamProblem(span, fenced.text);
  if (element.name === "Agent") return unclosedAgentProblem(span, fenced.text);
  const problem = element.name === "Tool" ? unclosedToolProblem(span, fenced) : unclosedExampleProblem(span, fenced);
  return isContained(span.start, fenced.text) ? withoutFix(problem) : problem;
}

/** In a quote or a list item, each line of a fix would need the same beginning. */
const withoutFix = ({ fix: _fix, ...problem }: Problem): Problem => problem;

/** The same without a fix. */
const plainUnclosedProblem = (element: JsxElement): Problem => ({
  rule: "element-closing-tag",
  offset: startOf(element),
  message: `\`<${element.name}>\` is not closed, expected \`</${element.name}>\``,
  hint: `write \`</${element.name}>\` on a line of its own`,
});

/** An element that begins and ends in different ones, or in different list items or quotes. */
const crossedProblem = (element: JsxElement): Problem => ({
  ...plainUnclosedProblem(element),
  message: `\`<${element.name}>\` is not closed where it begins, expected \`</${element.name}>\` within the same element, list item or quote`,
  hint: `move \`</${element.name}>\` there, with the same indentation as \`<${element.name} …>\``,
});

/** A closing tag that closes nothing. */
function strayProblem(element: JsxElement): Problem {
  const { name } = element;
  return {
    rule: "element-closing-tag",
    offset: startOf(element),
    message: `unexpected \`</${name}>\`, expected \`<${name} …>\` before it, within the same list item or quote`,
    hint: "remove the closing tag, or write the opening one",
    fix: { start: startOf(element), end: endOf(element), text: "" },
  };
}

/** A closing tag of HTML whose name is almost that of the element. */
function misspelledClosing(node: Nodes, { name }: JsxElement): Problem | undefined {
  const [, before = "", written] = (node.type === "html" && /^(<\/\s*)([A-Za-z]+)\s*>/.exec(node.value)) || [];
  if (written === undefined || name === null || closest(written, [name]) === undefined) return undefined;
  const start = startOf(node) + before.length;
  return {
    rule: "element-closing-tag",
    offset: startOf(node),
    message: `unexpected \`</${written}>\`, expected \`</${name}>\``,
    hint: `did you mean \`</${name}>\`?`,
    fix: { start, end: start + written.length, text: name },
  };
}

/** A parameter that nothing closes. One that may have members may end with either of two tags: that is for the author to say. */
function unclosedParamProblem({ start, end }: TextRange, text: string): Problem {
  const fix = { start: end - 1, end: end - 1, text: " /" };
  const mayHold = /["'{]object["'}]/.test(text.slice(start, end));
  return {
    rule: "element-closing-tag",
    offset: start,
    message: `${quoted(text.slice(start, end))} is not closed, expected \`<Param … />\`${mayHold ? " or `</Param>`" : ""}`,
    hint: mayHold ? "write `</Param>` after its members, or end the tag with ` />`" : "end the tag with ` />`",
    ...(mayHold ? {} : { fix }),
  };
}

const unclosedAgentProblem = ({ start, end }: TextRange, text: string): Problem => ({
  rule: "element-closing-tag",
  offset: start,
  message: `${quoted(text.slice(start, end))} is not closed, expected \`<Agent … />\``,
  hint: "end the tag with ` />`",
  fix: { start: end - 1, end: end - 1, text: " /" },
});

import { JavaScriptInText } from "../javascript-in-text.ts";
import { codeFences, paragraphsOf } from "../unparsed-blocks.ts";
import { braceProblem } from "./javascript-problem.ts";
import type { SyntaxProblem } from "./syntax-message.ts";
import { escapeProblem } from "./tag-problem.ts";

const mostForeseen = 500;
/** What may make a brace or a "<" part of code, a link or a tag: of such a paragraph the parser alone knows. */
const notPlain = /`|\]\(|\]:|<[^0-9=<\s-]|^(?:import|export)\b|^[ \t]*>/m;
const candidates = /\\[\s\S]|\{|<(?=[0-9=<-])/g;

/**
 * The errors that the parser will find in plain prose after an offset, in their order, so that not each needs a parse of the whole text.
 * The search ends at the first paragraph that is not plain.
 */
export function foreseenProblems(text: string, from: number): readonly SyntaxProblem[] {
  const end = endOfPlain(text, from);
  const javaScript = new JavaScriptInText(text);
  const found: SyntaxProblem[] = [];
  candidates.lastIndex = from;
  for (let match = candidates.exec(text); match !== null && match.index < end; match = candidates.exec(text)) {
    const [written] = match;
    if (written.startsWith("\\")) continue;
    const next =
      written === "{"
        ? expressionAt(match.index, text, javaScript)
        : fixed(escapeProblem(text, match.index, match.index + 1));
    if (next === undefined || next.end > end || found.length === mostForeseen) return found;
    if (next.problem !== undefined) found.push(next.problem);
    candidates.lastIndex = next.end;
  }
  return found;
}

/** What is at a brace or a "<", with the offset from which the search continues; undefined if only the parser can say. */
type Next = { readonly problem?: SyntaxProblem; readonly end: number } | undefined;

function expressionAt(offset: number, text: string, javaScript: JavaScriptInText): Next {
  const isFlow = /(?:^|[\r\n])[ \t]*$/.test(text.slice(Math.max(0, offset - 100), offset));
  const found = javaScript.endOfExpression({ offset: offset + 1 }, { flow: isFlow, spread: false });
  if (found === undefined) return undefined;
  if ("end" in found) return { end: found.end + 1 };
  const { message, pos } = found.error;
  const problem = fixed(braceProblem(text, offset, message));
  // The parser reports the inner one of two braces.
  return text.slice(problem.end, pos).includes("{") ? undefined : problem;
}

function fixed(problem: SyntaxProblem): NonNullable<Next> {
  return { problem, end: Math.max(problem.fix?.end ?? 0, problem.offset + 1) };
}

function endOfPlain(text: string, from: number): number {
  const fence = codeFences(text).find(({ end }) => end > from);
  const limit = fence?.start ?? text.length;
  for (const { paragraph, offset } of paragraphsOf(text.slice(from, limit))) {
    if (notPlain.test(paragraph)) return from + offset;
  }
  return limit;
}

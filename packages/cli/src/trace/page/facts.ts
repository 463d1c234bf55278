import { inputTokens } from "@mdx-ai/models";
import { visibleLine, visibleProse } from "@mdx-ai/parser/visible-text";
import type { Trace, TraceCall, TraceStep } from "@mdx-ai/runtime";
import { counted, dollars, grouped, momentText } from "../../output/figures.ts";
import { escaped } from "../../output/html-page.ts";

/** Short facts as one line of HTML; undefined ones are left out. */
export function factsHtml(facts: readonly (string | undefined)[]): string {
  const known = facts.filter((fact) => fact !== undefined);
  return known.length === 0 ? "" : `<p class="facts">${escaped(visibleLine(known.join(" · ")))}</p>`;
}

/** A foreign text under its title as HTML; empty if the text is. */
export function textHtml(title: string, text: string | undefined, limit: number): string {
  if (text === undefined || text === "") return "";
  const cut = cutText(text, limit);
  const note = cut.note === undefined ? "" : `<p class="cut">${escaped(cut.note)}</p>`;
  // An HTML parser drops the first newline of a pre.
  return `<h4>${escaped(title)}</h4><pre>\n${escaped(cut.text)}</pre>${note}`;
}

/** The facts of a request to a model. */
export function callFacts({ provider, model, at, usage, usd }: TraceCall): readonly (string | undefined)[] {
  const { cacheRead, cacheWrite, output, thinking, estimated } = usage;
  const input = inputTokens(usage);
  const moment = momentText(at);
  const hasTokens = input + output > 0;
  const about = estimated ? "about " : "";
  const some = (count: number, text: string): string => (count === 0 ? "" : `, ${grouped(count)} ${text}`);
  const cached = `${some(cacheRead, "cached")}${some(cacheWrite, "written to the cache")}`;
  return [
    `${provider}/${model}`,
    moment && `asked ${moment}`,
    ...(hasTokens
      ? [
          `${about}${counted(input, "token")} in${cached}`,
          `${grouped(output)} out${some(thinking, "thinking")}`,
          usd === undefined ? "cost unknown" : dollars(usd),
        ]
      : []),
  ];
}

/** Characters of a page's long texts, about as many as a browser opens without delay. */
const BUDGET = 2_000_000;

/** The most characters of a text, tried for few texts first, then for more. */
const LIMITS = [50_000, 10_000, 2000, 500, 200] as const;

const SHORTEST = 100;

/** Characters that each text of a trace may have on a page, so that a long session does not make a huge page. */
export function textLimit(trace: Trace): number {
  const lengths = trace.prompts.flatMap((prompt) => [
    (prompt.input ?? "").length,
    ...prompt.turns.flatMap(({ steps }) => steps.flatMap(textLengths)),
  ]);
  const fits = (limit: number): boolean => lengths.reduce((sum, length) => sum + Math.min(length, limit), 0) <= BUDGET;
  return LIMITS.find(fits) ?? SHORTEST;
}

function textLengths(step: TraceStep): readonly number[] {
  switch (step.type) {
    case "model":
      return [step.text.length];
    case "tool":
      return [JSON.stringify(step.arguments).length, (step.result ?? "").length];
    case "retry":
    case "fallback":
    case "compaction":
      return [];
  }
}

/** A foreign text of at most so many characters and, where more were there, how many are not shown. */
export function cutText(text: string, limit: number): { readonly text: string; readonly note?: string } {
  // A character of two halves stays whole.
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  const dropped = text.length - end;
  if (dropped <= 0) return { text: visibleProse(text) };
  return {
    text: visibleProse(text.slice(0, end)),
    note: `… ${grouped(dropped)} more characters; mdx-ai trace --json has all`,
  };
}

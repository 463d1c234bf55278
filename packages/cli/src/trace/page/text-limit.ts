import { visibleProse } from "@mdx-ai/parser/visible-text";
import type { Trace, TraceStep } from "@mdx-ai/runtime";
import { grouped } from "../../output/figures.ts";

/** Characters of a page's long texts, about: a browser opens so many within a moment. */
const BUDGET = 2_000_000;

/** The longest that a text may be, first of few texts, then of more and more. */
const LIMITS = [50_000, 10_000, 2000, 500, 200] as const;

const SHORTEST = 100;

/** Characters that each text of a trace may have on a page, so that a long session is no huge page. */
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

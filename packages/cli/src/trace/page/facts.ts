import { inputTokens } from "@mdx-ai/models";
import { visibleLine } from "@mdx-ai/parser/visible-text";
import type { TraceCall } from "@mdx-ai/runtime";
import { counted, dollars, grouped } from "../../output/figures.ts";
import { escaped } from "../../output/html-page.ts";
import { momentText } from "../../output/times.ts";
import { cutText } from "./text-limit.ts";

/** Short facts as one line of HTML; undefined ones are left out. */
export function factsHtml(facts: readonly (string | undefined)[]): string {
  const known = facts.filter((fact) => fact !== undefined);
  return known.length === 0 ? "" : `<p class="facts">${escaped(visibleLine(known.join(" · ")))}</p>`;
}

/** A foreign text under its title as HTML; nothing where it is empty. */
export function textHtml(title: string, text: string | undefined, limit: number): string {
  if (text === undefined || text === "") return "";
  const cut = cutText(text, limit);
  const note = cut.note === undefined ? "" : `<p class="cut">${escaped(cut.note)}</p>`;
  // A parser of HTML takes the first newline of a pre away.
  return `<h4>${escaped(title)}</h4><pre>\n${escaped(cut.text)}</pre>${note}`;
}

/** What a question to a model took. */
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

import { inputTokens } from "@mdx-ai/models";
import { visibleLine, visibleProse } from "@mdx-ai/parser/visible-text";
import type { Trace, TraceCall, TraceStep } from "@mdx-ai/runtime";
import { counted, dollars, exactDuration, grouped, momentText } from "../../output/figures.ts";
import { escaped } from "../../output/html-page.ts";
import type { PromptTimeline } from "../timeline/prompt-timeline.ts";
import { placeOf, type Span, type TimeScale, ticksOf } from "../timeline/time-scale.ts";
import { isFailed } from "../turn-entries.ts";

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

/** Where a span is drawn: the values of the properties `--x` and `--w` of a style. */
export function barStyle(span: Span, scale: TimeScale): string {
  const start = placeOf(scale, span.from);
  return `--x:${percent(start)};--w:${percent(placeOf(scale, span.to) - start)}`;
}

/** A fraction as "12.34%". */
export const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(2))}%`;

/** The bar of a span, with its times for screen readers; empty if they are unknown. */
export function bar(span: Span | undefined, scale: TimeScale): string {
  if (span === undefined) return "";
  const start = exactDuration(Math.max(0, span.from - (scale.runs[0]?.from ?? span.from)));
  const length = span.to === span.from ? "" : ` for ${exactDuration(span.to - span.from)}`;
  return `<i role="img" title="${escaped(`at ${start}${length}`)}" style="${barStyle(span, scale)}"></i>`;
}

/** The labels of a time axis. */
export const axisLabels = (scale: TimeScale): string =>
  ticksOf(scale)
    .map(({ place, label }) => `<span style="--x:${percent(place)}">${escaped(label)}</span>`)
    .join("");

/** The lines behind the bars, and the breaks of the axis with what they leave out. */
export function axisLines(scale: TimeScale): string {
  const lines = ticksOf(scale).map(({ place }) => `<u style="--x:${percent(place)}"></u>`);
  return lines.join("") + breaksHtml(scale);
}

/** The breaks of an axis. */
export const breaksHtml = ({ breaks }: TimeScale): string =>
  breaks
    .map(({ start, end, length }) => {
      const style = `--x:${percent(start)};--w:${percent(end - start)}`;
      return `<s style="${style}" title="a pause of ${exactDuration(length)}"></s>`;
    })
    .join("");

/** Units of the drawing. */
const WIDTH = 1000;
const LANE = 3;
const LANES = 4;

/** The bars of a prompt in small, as wide as its share of the longest one; those that overlap are drawn below each other. */
export function miniature({ turns, scale }: PromptTimeline, width: string): string {
  const entries = turns.flatMap((turn) => turn.entries);
  const ends: number[] = [];
  const paths = new Map<string, string[]>();
  for (const { entry, span } of entries) {
    if (span === undefined || entry.type === "resumption" || entry.type === "fallback") continue;
    const lane = laneOf(ends, span.from);
    ends[lane] = span.to;
    const kind = isFailed(entry) ? "bad" : entry.type;
    const path = paths.get(kind) ?? [];
    path.push(barPath(scale, span, Math.min(lane, LANES - 1)));
    paths.set(kind, path);
  }
  const drawn = [...paths].map(([kind, path]) => `<path class="${kind}" d="${path.join("")}"/>`).join("");
  const lanes = Math.max(1, Math.min(ends.length, LANES));
  return `<svg viewBox="0 0 ${WIDTH} ${LANE * lanes}" preserveAspectRatio="none" style="--w:${width};--h:${3 + 5 * lanes}px" aria-hidden="true">${drawn}</svg>`;
}

/** The first lane that is free at a time. */
function laneOf(ends: readonly number[], from: number): number {
  const free = ends.findIndex((end) => end <= from);
  return free < 0 ? ends.length : free;
}

function barPath(scale: TimeScale, span: { readonly from: number; readonly to: number }, lane: number): string {
  const start = Math.round(placeOf(scale, span.from) * WIDTH);
  const end = Math.max(start + 1, Math.round(placeOf(scale, span.to) * WIDTH));
  return `M${start} ${lane * LANE}H${end}v${LANE - 1}H${start}z`;
}

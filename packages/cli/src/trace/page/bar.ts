import { exactDuration } from "../../output/figures.ts";
import { escaped } from "../../output/html-page.ts";
import type { PromptTimeline } from "../timeline/prompt-timeline.ts";
import { placeOf, type Span, type TimeScale, ticksOf } from "../timeline/time-scale.ts";
import { isFailed } from "../turn-entries.ts";

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

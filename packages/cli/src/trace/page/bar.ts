import { exactDuration } from "../../output/figures.ts";
import { escaped } from "../../output/html-page.ts";
import { ticksOf } from "../timeline/ticks.ts";
import type { Span } from "../timeline/time-scale.ts";
import { placeOf, type TimeScale } from "../timeline/time-scale.ts";

/** Where a span is drawn: the values of the properties `--x` and `--w` of a style. */
export function barStyle(span: Span, scale: TimeScale): string {
  const start = placeOf(scale, span.from);
  return `--x:${percent(start)};--w:${percent(placeOf(scale, span.to) - start)}`;
}

/** A fraction as "12.34%". */
export const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(2))}%`;

/** The bar of a span, with its times for those who do not see it; nothing where they are not known. */
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

import { escaped } from "../../output/html-page.ts";
import { lengthText } from "../length-text.ts";
import type { Span } from "../timeline/span.ts";
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
  const start = lengthText(Math.max(0, span.from - (scale.runs[0]?.from ?? span.from)));
  const length = span.to === span.from ? "" : ` for ${lengthText(span.to - span.from)}`;
  return `<i role="img" title="${escaped(`at ${start}${length}`)}" style="${barStyle(span, scale)}"></i>`;
}

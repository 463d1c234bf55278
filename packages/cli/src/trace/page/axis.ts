import { escaped } from "../../output/html-page.ts";
import { lengthText } from "../length-text.ts";
import { ticksOf } from "../timeline/ticks.ts";
import type { TimeScale } from "../timeline/time-scale.ts";
import { percent } from "./bar.ts";

/** The labels of a time axis. */
export const axisLabels = (scale: TimeScale): string =>
  ticksOf(scale)
    .map(({ place, label }) => `<span style="--x:${percent(place)}">${escaped(label)}</span>`)
    .join("");

/** The lines behind the bars, and the breaks of the axis with what they leave out. */
export function axisLines(scale: TimeScale): string {
  const lines = ticksOf(scale).map(({ place }) => `<u style="--x:${percent(place)}"></u>`);
  const breaks = scale.breaks.map(({ start, end, length }) => {
    const style = `--x:${percent(start)};--w:${percent(end - start)}`;
    return `<s style="${style}" title="a pause of ${lengthText(length)}"></s>`;
  });
  return [...lines, ...breaks].join("");
}

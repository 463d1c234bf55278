import type { PromptTimeline } from "../timeline/prompt-timeline.ts";
import { placeOf, type TimeScale } from "../timeline/time-scale.ts";
import { isFailed } from "../turn-entries.ts";

/** Units of the drawing. */
const WIDTH = 1000;
const LANE = 3;
const LANES = 4;

/** The bars of a prompt in small, as wide as its share of the longest one; those that overlap stand below each other. */
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

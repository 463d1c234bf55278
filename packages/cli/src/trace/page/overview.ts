import { exactDuration } from "../../output/figures.ts";
import { escaped } from "../../output/html-page.ts";
import { momentText } from "../../output/times.ts";
import type { PromptTimeline } from "../timeline/prompt-timeline.ts";
import type { TimeScale } from "../timeline/time-scale.ts";
import { barStyle, breaksHtml, percent } from "./bar.ts";
import { isBad } from "./prompt-html.ts";

/** The share of the whole that two labels must be apart. */
const APART = 0.16;

/**
 * All prompts of a session on one axis; each bar leads to its prompt. For the eye and the mouse alone: what it shows is also in
 * the list below, which is for the keyboard, too.
 */
export function overviewHtml(timelines: readonly PromptTimeline[], scale: TimeScale): string {
  const bars = timelines.flatMap((timeline) => promptBars(timeline, scale));
  return `<div class="overview" aria-hidden="true"><div class="strip">${breaksHtml(scale)}${bars.join("")}</div>
<div class="labels">${labels(scale)}</div></div>`;
}

/** A bar for each stretch in which a prompt was worked on. */
function promptBars({ prompt, scale: own }: PromptTimeline, scale: TimeScale): readonly string[] {
  const title = escaped(`prompt ${prompt.number}: ${exactDuration(own.busy)}`);
  const state = isBad(prompt) ? ' class="bad"' : "";
  return own.runs.map(
    (run) => `<a href="#p${prompt.number}" tabindex="-1"${state} title="${title}" style="${barStyle(run, scale)}"></a>`,
  );
}

/** When each run began, as far as there is room. */
function labels({ runs }: TimeScale): string {
  let last = Number.NEGATIVE_INFINITY;
  return runs
    .filter(({ start }) => {
      if (start - last < APART || start > 1 - APART / 2) return false;
      last = start;
      return true;
    })
    .map(({ from, start }) => `<span style="--x:${percent(start)}">${momentText(from) ?? ""}</span>`)
    .join("");
}

import { inputTokens } from "@mdx-ai/models";
import { visibleLine } from "@mdx-ai/parser/visible-text";
import type { Trace, TracePrompt } from "@mdx-ai/runtime";
import { exactDuration, grouped, momentText } from "../../output/figures.ts";
import { escaped } from "../../output/html-page.ts";
import { costText } from "../../output/prompt-lines.ts";
import type { PromptTimeline } from "../timeline/prompt-timeline.ts";
import type { TimeScale } from "../timeline/time-scale.ts";
import { isFailed } from "../turn-entries.ts";
import { barStyle, breaksHtml, percent } from "./bar.ts";
import { isBad } from "./prompt-html.ts";

/** What is shown above the timeline. */
export interface PageHead {
  /** The agent's name. Foreign text. */
  readonly agent: string;
  readonly trace: Trace;
  /** Milliseconds in which prompts ran. */
  readonly busy: number;
}

/** The head of the page as HTML. */
export function headerHtml({ agent, trace, busy }: PageHead): string {
  const figures = figuresOf(trace, busy).map(
    ([name, value, isBad]) =>
      `<div${isBad ? ' class="bad"' : ""}><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`,
  );
  const key = KINDS.map(([kind, name]) => `<li class="${kind}"><i></i>${name}</li>`).join("");
  return `<header><h1 dir="auto">${escaped(visibleLine(agent))}</h1>
<p>session <b dir="auto">${escaped(visibleLine(trace.session))}</b>${whenText(trace.prompts)}</p>
<dl class="figures">${figures.join("")}</dl>
<ul class="key" aria-label="Colours">${key}</ul></header>`;
}

const KINDS = [
  ["model", "model"],
  ["tool", "tool"],
  ["retry", "wait"],
  ["compaction", "summary"],
  ["steering", "you"],
  ["bad", "failed"],
] as const;

function whenText(prompts: readonly TracePrompt[]): string {
  const first = momentText(prompts.find(({ startedAt }) => startedAt !== undefined)?.startedAt);
  const last = momentText(prompts.findLast(({ endedAt }) => endedAt !== undefined)?.endedAt);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const moments = [first, last].filter((moment) => moment !== undefined).join(" to ");
  return moments === "" ? "" : ` · ${escaped(moments)} (${escaped(zone)})`;
}

type Figure = readonly [name: string, value: string, isBad?: boolean];

function figuresOf({ prompts, cost }: Trace, busy: number): readonly Figure[] {
  const { usage, usd, unpriced, calls, latency } = cost;
  const input = inputTokens(usage);
  const steps = prompts.flatMap(({ turns }) => turns.flatMap((turn) => turn.steps));
  const failures = steps.filter(isFailed).length;
  const about = usage.estimated ? "about " : "";
  return [
    ["prompts", grouped(prompts.length)],
    ["turns", grouped(prompts.reduce((sum, { turns }) => sum + turns.length, 0))],
    ["model calls", grouped(calls)],
    ["tool calls", grouped(steps.filter(({ type }) => type === "tool").length)],
    ["tokens in", `${about}${grouped(input)}`],
    ["cached", grouped(usage.cacheRead)],
    ["tokens out", `${about}${grouped(usage.output)}`],
    ["cost", calls === 0 ? "–" : costText(usd, unpriced)],
    ["at work", exactDuration(busy)],
    ["models", exactDuration(latency)],
    ["failures", grouped(failures), failures > 0],
  ];
}

/** The least distance between two labels, as a share of the whole. */
const APART = 0.16;

/**
 * All prompts of a session on one axis; each bar links to its prompt. For the eye and the mouse only: what it shows is also in
 * the list below, which the keyboard can reach.
 */
export function overviewHtml(timelines: readonly PromptTimeline[], scale: TimeScale): string {
  const bars = timelines.flatMap((timeline) => promptBars(timeline, scale));
  return `<div class="overview" aria-hidden="true"><div class="strip">${breaksHtml(scale)}${bars.join("")}</div>
<div class="labels">${labels(scale)}</div></div>`;
}

/** A bar for each stretch in which a prompt ran. */
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

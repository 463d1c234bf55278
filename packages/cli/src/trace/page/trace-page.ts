import { inputTokens } from "@mdx-ai/models";
import { visibleLine } from "@mdx-ai/parser/visible-text";
import type { Trace, TracePrompt } from "@mdx-ai/runtime";
import { exactDuration, grouped, momentText } from "../../output/figures.ts";
import { escaped, htmlPage } from "../../output/html-page.ts";
import { costText } from "../../output/prompt-lines.ts";
import { type PromptTimeline, promptTimeline, sessionScale } from "../timeline/prompt-timeline.ts";
import type { TimeScale } from "../timeline/time-scale.ts";
import { agentChangeText, isFailed, queuedText, rewindText } from "../turn-entries.ts";
import { compactionRow, type Row, rowHtml } from "./entry-row.ts";
import { barStyle, breaksHtml, percent, textHtml, textLimit } from "./page-parts.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { isBad, promptHtml } from "./prompt-html.ts";

/** The most steps that a page shows at once; of a longer session, only the last prompt is open. */
const OPEN_STEPS = 150;

/**
 * A trace as one page that loads nothing and runs nothing. All foreign text is text in it. `agent` is the agent's name.
 */
export function tracePage(trace: Trace, agent: string): string {
  const timelines = trace.prompts.map(promptTimeline);
  const scale = sessionScale(timelines);
  const body = `<main>${headerHtml({ agent, trace, busy: totalBusy(timelines) })}
${damageHtml(trace)}
${timelines.length === 0 ? "<p>There is no prompt in this session yet.</p>" : overviewHtml(timelines, scale)}
${listHtml(trace, timelines)}</main>`;
  return htmlPage({
    title: `Trace of ${visibleLine(agent)}, session ${visibleLine(trace.session)}`,
    style: PAGE_STYLE,
    body,
  });
}

function listHtml(trace: Trace, timelines: readonly PromptTimeline[]): string {
  const limit = textLimit(trace);
  const steps = trace.prompts.flatMap(({ turns }) => turns.flatMap((turn) => turn.steps)).length;
  const longest = timelines.reduce((most, { scale }) => Math.max(most, scale.busy), 0);
  const prompts = timelines.map((timeline, index) => {
    const isOpen = steps <= OPEN_STEPS || index === timelines.length - 1;
    const { number } = timeline.prompt;
    return promptHtml(timeline, { longest, limit, isOpen }) + betweenHtml(trace, number, limit);
  });
  const other =
    trace.otherSteps.length === 0
      ? ""
      : `<p class="other">Other steps: ${escaped(visibleLine(trace.otherSteps.join(", ")))}</p>`;
  return `<section class="prompts" aria-labelledby="prompts"><h2 class="unseen" id="prompts">Prompts</h2>${betweenHtml(trace, 0, limit)}${prompts.join("\n")}</section>${other}`;
}

const totalBusy = (timelines: readonly PromptTimeline[]): number =>
  timelines.reduce((sum, { scale }) => sum + scale.busy, 0);

function damageHtml({ damage }: Trace): string {
  if (damage.length === 0) return "";
  const positions = damage.map(({ file, line }) => `${file}:${line}`).slice(0, 10);
  const more = damage.length > positions.length ? " …" : "";
  return `<p class="warning" role="note">The journal has lines that cannot be read and are not shown: ${escaped(positions.join(", "))}${more}</p>`;
}

/** The steps of a session between a prompt and the next one, as HTML. */
function betweenHtml(trace: Trace, afterPrompt: number, limit: number): string {
  const isHere = (one: { readonly afterPrompt: number }): boolean => one.afterPrompt === afterPrompt;
  const rows: readonly Row[] = [
    ...trace.compactions.filter(isHere).map((one) => ({
      ...compactionRow(one, limit),
      isBad: one.gain === undefined,
      bar: "",
    })),
    ...trace.queued.filter(isHere).map((one) => queuedRow(one, limit)),
    ...trace.agentChanges.filter(isHere).map((one) => noteRow(agentChangeText(one))),
    ...trace.rewinds.filter(isHere).map((one) => noteRow(rewindText(one.prompt), momentText(one.at))),
  ];
  return rows.length === 0 ? "" : `<div class="between">${rows.map(rowHtml).join("\n")}</div>`;
}

const noteRow = (name: string, excerpt?: string): Row => ({
  kind: "resumption",
  name,
  ...(excerpt !== undefined && { excerpt }),
  bar: "",
  details: "",
});

function queuedRow(one: Trace["queued"][number], limit: number): Row {
  return {
    kind: "steering",
    name: queuedText(one),
    excerpt: one.text,
    bar: "",
    details: textHtml("You", one.text, limit),
  };
}

/** What is shown above the timeline. */
interface PageHead {
  /** The agent's name. Foreign text. */
  readonly agent: string;
  readonly trace: Trace;
  /** Milliseconds in which prompts ran. */
  readonly busy: number;
}

/** The head of the page as HTML. */
function headerHtml({ agent, trace, busy }: PageHead): string {
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
function overviewHtml(timelines: readonly PromptTimeline[], scale: TimeScale): string {
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

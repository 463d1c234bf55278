import { inputTokens } from "@mdx-ai/models";
import type { Cost, TracePrompt } from "@mdx-ai/runtime";
import { counted, dollars, exactDuration, grouped, momentText } from "../../output/figures.ts";
import type { PromptTimeline, TimedEntry } from "../timeline/prompt-timeline.ts";
import { busyWithin, type TimeScale, wholeSpan } from "../timeline/time-scale.ts";
import { endText, isFailed } from "../turn-entries.ts";
import { entryRow, excerptHtml, isShortened, rowHtml } from "./entry-row.ts";
import { axisLabels, axisLines, barStyle, factsHtml, miniature, percent, textHtml } from "./page-parts.ts";

/** How prompts are drawn on a page. */
export interface PromptView {
  /** Milliseconds that the longest prompt ran. */
  readonly longest: number;
  /** Characters of each long text. */
  readonly limit: number;
  readonly isOpen: boolean;
}

/** A prompt with its timeline as HTML. */
export function promptHtml(timeline: PromptTimeline, view: PromptView): string {
  const { prompt } = timeline;
  const state = isBad(prompt) ? " bad" : "";
  return `<details class="prompt${state}"${view.isOpen ? " open" : ""}><summary class="cells">${summaryCells(timeline, view)}</summary>
<div class="body" id="p${prompt.number}">${bodyHtml(timeline, view.limit)}</div></details>`;
}

/** Whether a prompt ended in an unwanted way. */
export const isBad = ({ outcome }: TracePrompt): boolean => outcome === "error";

function summaryCells(timeline: PromptTimeline, { longest }: PromptView): string {
  const { prompt, scale } = timeline;
  const { usage } = prompt.cost;
  const input = inputTokens(usage);
  const hasTokens = input + usage.output > 0;
  const share = longest === 0 ? 0 : scale.busy / longest;
  return [
    `<span class="n"><b><span class="unseen">prompt </span>${prompt.number}</b> <span dir="auto">${excerptHtml(prompt.input ?? "")}</span>${chips(prompt)}</span>`,
    `<span>${scale.busy > 0 ? exactDuration(scale.busy) : ""}</span>`,
    `<span class="k">${hasTokens ? `${grouped(input)} → ${grouped(usage.output)}` : ""}</span>`,
    `<span class="k">${hasTokens ? costCell(prompt.cost) : ""}</span>`,
    `<span class="w">${miniature(timeline, percent(share))}</span>`,
  ].join("");
}

/** What is known of a cost, in a few characters. */
function costCell({ usd, unpriced }: Cost): string {
  if (unpriced === 0) return dollars(usd);
  return usd === 0 ? "?" : `≥ ${dollars(usd)}`;
}

/** The remarks beside a prompt: how it ended, unless it went well, and what failed before. */
function chips(prompt: TracePrompt): string {
  const failures = prompt.turns.flatMap(({ steps }) => steps).filter(isFailed).length;
  const end = prompt.holder === undefined ? SHORT_ENDS[prompt.outcome] : "running";
  return [
    end === undefined ? "" : ` <mark class="${prompt.outcome}">${end}</mark>`,
    failures === 0 ? "" : ` <mark class="error">${counted(failures, "failure")}</mark>`,
    prompt.resumptions.length === 0 ? "" : " <mark>interrupted</mark>",
  ].join("");
}

const SHORT_ENDS = {
  done: undefined,
  error: "error",
  aborted: "aborted",
  limit: "limit",
  unfinished: "interrupted",
} as const satisfies Readonly<Record<TracePrompt["outcome"], string | undefined>>;

function bodyHtml(timeline: PromptTimeline, limit: number): string {
  const { prompt, turns, loose, scale } = timeline;
  const input = prompt.input ?? "";
  const said = isShortened(input) ? `<div class="said">${textHtml("You", input, limit)}</div>` : "";
  return `${said}<div class="plot"><div class="cells lines" aria-hidden="true"><span class="w">${axisLines(scale)}</span></div>
<div class="cells axis"><span class="n"></span><span>time</span><span class="k">tokens</span><span class="k">cost</span><span class="w">${axisLabels(scale)}</span></div>
${turns.map((turn) => turnHtml(turn, scale, limit)).join("\n")}${rowsHtml(loose, scale, limit)}</div>
${endHtml(timeline)}`;
}

function turnHtml({ number, entries }: PromptTimeline["turns"][number], scale: TimeScale, limit: number): string {
  const span = wholeSpan(entries.flatMap((one) => one.span ?? []));
  const line = span ? `<i style="${barStyle(span, scale)}"></i>` : "";
  const time = span ? exactDuration(busyWithin(scale, span)) : "";
  return `<section><h3 class="cells"><span class="n">turn ${number}</span><span>${time}</span><span class="w">${line}</span></h3>
${rowsHtml(entries, scale, limit)}</section>`;
}

const rowsHtml = (entries: readonly TimedEntry[], scale: TimeScale, limit: number): string =>
  entries.map((entry) => rowHtml(entryRow(entry, scale, limit))).join("\n");

function endHtml({ prompt, scale }: PromptTimeline): string {
  const [began, ended] = [momentText(prompt.startedAt), momentText(prompt.endedAt)];
  const pauses = scale.breaks.map(({ length }) => exactDuration(length)).join(", ");
  const others = prompt.otherSteps.join(", ");
  return `<footer>${factsHtml([
    began && `began ${began}`,
    ended && `ended ${ended}`,
    endText(prompt),
    pauses === "" ? undefined : `idle for ${pauses}`,
    others === "" ? undefined : `other steps: ${others}`,
  ])}</footer>`;
}

import { visibleLine } from "@mdx-ai/parser/visible-text";
import type { Trace } from "@mdx-ai/runtime";
import { momentText } from "../../output/figures.ts";
import { escaped, htmlPage } from "../../output/html-page.ts";
import { type PromptTimeline, promptTimeline, sessionScale } from "../timeline/prompt-timeline.ts";
import { agentChangeText, queuedText, rewindText } from "../turn-entries.ts";
import { compactionRow, type Row, rowHtml } from "./entry-row.ts";
import { textHtml, textLimit } from "./facts.ts";
import { headerHtml, overviewHtml } from "./header.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { promptHtml } from "./prompt-html.ts";

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

import type { Trace } from "@mdx-ai/runtime";
import { momentText } from "../../output/times.ts";
import { agentChangeText, queuedText, rewindText } from "../trace-words.ts";
import { compactionRow } from "./entry-row.ts";
import { textHtml } from "./facts.ts";
import { type Row, rowHtml } from "./row.ts";

/** What a session did behind a prompt, and before the next one, as HTML. */
export function betweenHtml(trace: Trace, afterPrompt: number, limit: number): string {
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

import type { Trace } from "@mdx-ai/runtime";
import { queuedText, rewindText } from "../between-text.ts";
import { momentText } from "../clock-text.ts";
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
    ...trace.rewinds.filter(isHere).map(rewindRow),
  ];
  return rows.length === 0 ? "" : `<div class="between">${rows.map(rowHtml).join("\n")}</div>`;
}

function rewindRow({ prompt, at }: Trace["rewinds"][number]): Row {
  const moment = momentText(at);
  return {
    kind: "resumption",
    name: rewindText(prompt),
    ...(moment !== undefined && { excerpt: moment }),
    bar: "",
    details: "",
  };
}

function queuedRow(one: Trace["queued"][number], limit: number): Row {
  return {
    kind: "steering",
    name: queuedText(one),
    excerpt: one.text,
    bar: "",
    details: textHtml("You", one.text, limit),
  };
}

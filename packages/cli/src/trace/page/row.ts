import { shortened } from "@mdx-ai/directory/text";
import { escaped, visibleLine } from "../../output/html-page.ts";

/** What a row is of: sets its colour. */
type RowKind = "model" | "tool" | "retry" | "fallback" | "compaction" | "steering" | "resumption";

/** A row of the timeline. Texts are plain, `bar` and `details` are HTML. */
export interface Row {
  readonly kind: RowKind;
  /** Something went wrong. */
  readonly isBad?: boolean;
  readonly name: string;
  /** Foreign text behind the name, of which the beginning is shown. */
  readonly excerpt?: string;
  readonly time?: string;
  readonly tokens?: string;
  readonly cost?: string;
  readonly bar: string;
  /** What is shown when it is opened; empty if there is nothing more to show. */
  readonly details: string;
}

/** Characters of a foreign text that are shown in a row. */
const EXCERPT = 120;

/** The beginning of a foreign text on one line, as HTML. */
export const excerptHtml = (text: string): string => escaped(shortened(excerptOf(text), EXCERPT));

/** Whether an excerpt of a text leaves something out, or its lines. */
export const isShortened = (text: string): boolean =>
  text.trim().includes("\n") || [...excerptOf(text)].length > EXCERPT;

/** The beginning; white space at the very beginning must not hide the rest. */
const excerptOf = (text: string): string => visibleLine(text.trimStart().slice(0, 4 * EXCERPT));

/** A row as HTML; one that can be opened is a `details`. */
export function rowHtml(row: Row): string {
  const { kind, isBad, name, excerpt, time = "", tokens = "", cost = "", bar, details } = row;
  const text = excerpt === undefined || excerpt === "" ? "" : ` <q>${excerptHtml(excerpt)}</q>`;
  const mark = isBad ? '<em role="img" aria-label="failed">✗</em>' : "";
  const figures = `${tokens}${cost}` === "" ? "" : `<span class="k">${tokens}</span><span class="k">${cost}</span>`;
  const cells = `<span class="n">${mark}<b>${excerptHtml(name)}</b>${text}</span><span>${time}</span>${figures}<span class="w">${bar}</span>`;
  const classes = `row ${kind}${isBad ? " bad" : ""}`;
  if (details === "") return `<div class="${classes}"><div class="cells">${cells}</div></div>`;
  return `<details class="${classes}"><summary class="cells">${cells}</summary><div class="more">${details}</div></details>`;
}

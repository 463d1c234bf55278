import type { TraceTool } from "@mdx-ai/runtime";
import type { Entry } from "../turn-entries.ts";
import { type Span, spanOf } from "./span.ts";

/** An entry and when it was, as far as that is known. */
export interface TimedEntry {
  readonly entry: Entry;
  readonly span: Span | undefined;
}

/** What the next one begins after. */
const LEADING: readonly Entry["type"][] = ["model", "compaction", "retry"];

/**
 * When the entries of a turn were. What has no time in the journal follows what was before it: a wait begins with the end of
 * the attempt that failed. Of a tool without a known duration only the moment is drawn that is known.
 */
export function timedEntries(entries: readonly Entry[]): readonly TimedEntry[] {
  let last: number | undefined;
  return entries.map((entry) => {
    const span = spanAfter(entry, last);
    if (span && LEADING.includes(entry.type)) last = span.to;
    return { entry, span };
  });
}

function spanAfter(entry: Entry, last: number | undefined): Span | undefined {
  switch (entry.type) {
    case "model":
      return spanOf(entry.at, entry.latency);
    case "compaction":
      return entry.call ? spanOf(entry.call.at, entry.call.latency) : momentOf(last);
    case "retry":
      return last === undefined ? undefined : spanOf(last, entry.delay);
    case "fallback":
      return momentOf(last);
    case "steering":
    case "resumption":
      return spanOf(entry.at);
    case "tool":
      return toolSpan(entry, last);
  }
}

/** What was interrupted stands where it began: nobody knows how far it came. */
function toolSpan({ state, endedAt, duration }: TraceTool, last: number | undefined): Span | undefined {
  if (endedAt !== undefined && duration !== undefined) return spanOf(endedAt - duration, duration);
  return state === "done" || state === "error" ? momentOf(endedAt) : momentOf(last);
}

const momentOf = (time: number | undefined): Span | undefined => (time === undefined ? undefined : spanOf(time));

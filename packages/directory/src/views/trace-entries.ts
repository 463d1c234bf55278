import type { Trace, TracePrompt, TraceStep, TraceTool, TraceTurn } from "@mdx-ai/sessions";
import { plainLine } from "../text.ts";
import { limitText } from "./prompt-lines.ts";

type TraceSteering = TracePrompt["steering"][number];
type TraceResumption = TracePrompt["resumptions"][number];

/** A step in a turn or between turns. */
export type Entry =
  | TraceStep
  | ({ readonly type: "steering" } & TraceSteering)
  | ({ readonly type: "resumption" } & TraceResumption);

/** The steps of a turn in order, starting with user input before it and resumptions by another process. */
export function turnEntries({ steering, resumptions }: TracePrompt, { number, steps }: TraceTurn): readonly Entry[] {
  const entries: Entry[] = [...steering.filter(({ turn }) => turn === number).map(steeringEntry), ...steps];
  for (const one of resumptions) {
    if (one.turn !== number) continue;
    const next = entries.findIndex((entry) => latestTime(entry) >= one.at);
    entries.splice(next < 0 ? entries.length : next, 0, resumptionEntry(one));
  }
  return entries;
}

/** Entries outside any turn: input that arrived too late for the model, and a resumption before the first turn. */
export const looseEntries = ({ steering, resumptions }: TracePrompt): readonly Entry[] => [
  ...resumptions.filter(({ turn }) => turn === undefined).map(resumptionEntry),
  ...steering.filter(({ turn }) => turn === undefined).map(steeringEntry),
];

const steeringEntry = (one: TraceSteering): Entry => ({ type: "steering", ...one });

const resumptionEntry = (one: TraceResumption): Entry => ({ type: "resumption", ...one });

/** The last known time of an entry; undefined if it has none. */
function latestTime(entry: Entry): number {
  switch (entry.type) {
    case "model":
    case "steering":
    case "resumption":
      return entry.at;
    case "compaction":
      return entry.call?.at ?? Number.NaN;
    case "tool":
      return entry.endedAt ?? Number.NaN;
    case "retry":
    case "fallback":
      return Number.NaN;
  }
}

/** Whether the entry contains a failure. */
export function isFailed(entry: Entry): boolean {
  switch (entry.type) {
    case "model":
      return entry.isFailed;
    case "tool":
      return entry.state === "error" || entry.state === "interrupted";
    case "compaction":
      return entry.gain === undefined;
    case "retry":
    case "fallback":
    case "steering":
    case "resumption":
      return false;
  }
}

/** How a prompt ended, as text. */
export function endText({ outcome, limit, holder }: TracePrompt): string {
  switch (outcome) {
    case "done":
    case "aborted":
      return outcome;
    case "error":
      return "ended by an error";
    case "limit":
      return limit === undefined ? "stopped at a limit" : limitText(limit);
    case "unfinished":
      return holder === undefined ? "interrupted" : `running in ${plainLine(holder)}`;
  }
}

/** The prompt that a conversation was rewound to. */
export const rewindText = (prompt: number): string =>
  prompt === 0 ? "went back to the beginning" : `went back to the end of prompt ${prompt}`;

/** The parts of the agent that differ from here on. Untrusted text. */
export const agentChangeText = ({ parts }: Trace["agentChanges"][number]): string =>
  `the agent changed: ${parts.length === 0 ? "nothing that a model receives" : parts.join(", ")}`;

/** The state of a queued input. */
export function queuedText({ state, prompt }: Trace["queued"][number]): string {
  switch (state) {
    case "waiting":
      return "queued; still waiting";
    case "withdrawn":
      return "queued; withdrawn";
    case "taken":
      return `queued; it became prompt ${prompt}`;
  }
}

/** Policy decisions about a tool call, as text. */
export const PERMISSION_TEXTS: Readonly<Record<NonNullable<TraceTool["permission"]>, string>> = {
  given: "asked, and allowed",
  refused: "not permitted",
};

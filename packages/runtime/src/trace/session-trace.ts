import { readHistory } from "../history/read-history.ts";
import type { AgentParts, AgentState, QueueEntry, Rewind } from "../history/session-history.ts";
import { LIVE_JOURNAL, type LookedAt } from "../session/session-journals.ts";
import { transcriptOf } from "../session/transcript.ts";
import { promptTrace } from "./prompt-trace.ts";
import { compactionTrace } from "./step-traces.ts";
import { TRACE_VERSION, type Trace, type TraceAgentChange, type TraceQueued, type TraceRewind } from "./trace.ts";

/**
 * The trace of a session, given what can be read of its journals. `holder` returns the process that holds the session, for
 * people; it is asked if the last prompt has no end. Never throws, whatever the results of the lines are.
 */
export function sessionTrace(
  session: string,
  { lines, damage }: Pick<LookedAt, "lines" | "damage">,
  holder: () => string | undefined = () => undefined,
): Trace {
  const history = readHistory(lines);
  const { own, open, prompts } = history;
  const holding = open && holder();
  return {
    version: TRACE_VERSION,
    session,
    spending: transcriptOf(history).spending,
    prompts: prompts
      .toSorted((one, other) => one.number - other.number)
      .map((prompt) => promptTrace(prompt, prompt === open ? holding : undefined)),
    compactions: own.summaries.map(({ afterPrompt, ...summary }) => ({ ...compactionTrace(summary), afterPrompt })),
    rewinds: own.rewinds.map(rewindTrace),
    queued: own.queue.map(queuedTrace),
    agentChanges: agentChanges(own.agents),
    otherSteps: own.others,
    unreadableLines: damage.flatMap(({ file, line }) => (file === LIVE_JOURNAL ? [line] : [])),
    damage,
  };
}

const timeOf = (at: number | undefined): { readonly at?: number } => (at === undefined ? {} : { at });

const rewindTrace = ({ step, prompt, at, afterPrompt }: Rewind): TraceRewind => ({
  step,
  prompt,
  ...timeOf(at),
  afterPrompt,
});

function queuedTrace({ step, text, at, afterPrompt, prompt, isWithdrawn }: QueueEntry): TraceQueued {
  const queued = { step, text, ...timeOf(at), afterPrompt };
  if (prompt !== undefined) return { ...queued, state: "taken", prompt };
  return { ...queued, state: isWithdrawn ? "withdrawn" : "waiting" };
}

/** The first state of the agent is no change. */
const agentChanges = (agents: readonly AgentState[]): readonly TraceAgentChange[] =>
  agents.slice(1).map(({ step, parts, afterPrompt }, index) => ({
    step,
    parts: differing(agents[index]?.parts ?? {}, parts),
    afterPrompt,
  }));

/** The names of the parts that are not the same, those that came or went among them. */
function differing(before: AgentParts, after: AgentParts): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}

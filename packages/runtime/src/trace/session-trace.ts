import { contentText } from "../content-text.ts";
import type { PromptHistory } from "../history/prompt-history.ts";
import { readHistory } from "../history/read-history.ts";
import type { AgentParts, AgentState, QueueEntry, Rewind } from "../history/session-history.ts";
import { fullName } from "../loop/plan.ts";
import { LIVE_JOURNAL, type LookedAt } from "../session/session-journals.ts";
import { transcriptOf } from "../session/transcript.ts";
import { compactionTrace, turnTrace } from "./step-traces.ts";
import {
  TRACE_VERSION,
  type Trace,
  type TraceAgentChange,
  type TracePrompt,
  type TraceQueued,
  type TraceRewind,
} from "./trace.ts";

/**
 * The trace of a session from the readable lines of its journals. `holder` returns the process that holds the session, for
 * people; it is called if the last prompt has no end. Never throws, whatever the lines contain.
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
    cost: transcriptOf(history).cost,
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

/** The trace of a prompt. `holder` is the process that runs it, for people. */
function promptTrace(prompt: PromptHistory, holder: string | undefined): TracePrompt {
  const { number, begin, end, cost, turns, steering, resumptions, hooks, unknown } = prompt;
  return {
    number,
    ...(begin?.id !== undefined && { id: begin.id }),
    ...(begin && { input: contentText(begin.message.content) }),
    ...(begin?.plan && { models: begin.plan.models.map(fullName) }),
    ...timesOf(prompt),
    ...(end ? { outcome: end.outcome } : { outcome: "unfinished" }),
    ...(end?.limit && { limit: { limit: end.limit.limit, value: end.limit.value } }),
    ...(end === undefined && holder !== undefined && { holder }),
    cost,
    turns: turns.map((turn) => turnTrace(turn, prompt)),
    steering: steering.map(({ step, message, turn }) => ({
      step,
      text: contentText(message.content),
      at: message.timestamp,
      ...(turn !== undefined && { turn }),
    })),
    resumptions: resumptions.flatMap(({ step, at, turn }) =>
      at === undefined ? [] : [{ step, at, ...(turn !== undefined && { turn }) }],
    ),
    ...(hooks.length > 0 && { hooks }),
    otherSteps: unknown,
  };
}

function timesOf({ begin, end }: PromptHistory): Pick<TracePrompt, "startedAt" | "endedAt" | "duration"> {
  const startedAt = begin?.message.timestamp;
  const duration = startedAt !== undefined && end ? end.at - startedAt : Number.NaN;
  return {
    ...(startedAt !== undefined && { startedAt }),
    ...(end && { endedAt: end.at }),
    ...(duration >= 0 && { duration }),
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

/** The names of the parts that are not the same, including added and removed ones. */
function differing(before: AgentParts, after: AgentParts): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}

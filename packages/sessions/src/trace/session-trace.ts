import { isRecord } from "@mdx-ai/base";
import {
  type AgentParts,
  contentText,
  costOf,
  fullName,
  isCompaction,
  isInterrupted,
  latencyOf,
  namedChanges,
} from "@mdx-ai/loop";
import type { AssistantMessage, ToolResultMessage } from "@mdx-ai/models";
import type { Attempt, CallHistory, PromptHistory, Summary, TurnHistory, TurnStep } from "../history/prompt-history.ts";
import { readHistory } from "../history/read-history.ts";
import type { AgentState, QueueEntry, Rewind } from "../history/session-history.ts";
import { type JournalLines, LIVE_JOURNAL } from "../session/session-journals.ts";
import { transcriptOf } from "../session/transcript.ts";
import {
  TRACE_VERSION,
  type Trace,
  type TraceAgentChange,
  type TraceCall,
  type TraceCompaction,
  type TraceModel,
  type TracePrompt,
  type TraceQueued,
  type TraceRewind,
  type TraceStep,
  type TraceTool,
  type TraceToolState,
  type TraceTurn,
} from "./trace.ts";

/**
 * The trace of a session from the readable lines of its journals. `holder` returns the process that has locked the session, for
 * people; it is called if the last prompt has no end. Never throws, for any content of the lines.
 */
export function sessionTrace(
  session: string,
  { lines, damage }: Pick<JournalLines, "lines" | "damage">,
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
    ...(begin && {
      id: begin.id,
      input: contentText(begin.message.content),
      models: begin.plan.models.map(fullName),
    }),
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
  const queued = { step, text, at, afterPrompt };
  if (prompt !== undefined) return { ...queued, state: "taken", prompt };
  return { ...queued, state: isWithdrawn ? "withdrawn" : "waiting" };
}

/** The first state of the agent does not count as a change. */
const agentChanges = (agents: readonly AgentState[]): readonly TraceAgentChange[] =>
  agents.slice(1).map(({ step, parts, afterPrompt }, index) => ({
    step,
    parts: differing(agents[index]?.parts ?? {}, parts),
    afterPrompt,
  }));

/** The names of the changed, added and removed parts. */
function differing(before: AgentParts, after: AgentParts): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return namedChanges([...names].filter((name) => before[name] !== after[name]));
}

/** The trace of a turn of a prompt. */
function turnTrace(turn: TurnHistory, prompt: PromptHistory): TraceTurn {
  const steps: TraceStep[] = [];
  /** The failed attempt without a following wait: the next attempt uses another model. */
  let failed: AssistantMessage | undefined;
  for (const step of turn.steps) {
    if (step.type === "attempt") {
      const { message } = step;
      if (failed) steps.push({ type: "fallback", from: modelOf(failed), to: modelOf(message) });
      failed = message.stopReason === "error" ? message : undefined;
    } else if (step.type === "wait" && !step.isForSummary) failed = undefined;
    steps.push(...stepTraces(step, turn));
  }
  return { number: turn.number, steps: [...steps, ...toolTraces(turn, prompt)] };
}

function stepTraces(step: TurnStep, { answer }: TurnHistory): readonly TraceStep[] {
  switch (step.type) {
    case "attempt":
      return [modelTrace(step, step === answer)];
    case "summary":
      return [compactionTrace(step)];
    case "wait":
      return step.delay === undefined ? [] : [{ type: "retry", step: step.step, delay: step.delay }];
  }
}

/** Stop reasons of unusable answers. */
const FAILED: readonly string[] = ["error", "aborted", "contextExceeded"];

/** An attempt of a turn. The last one has the answer, unless it failed. */
function modelTrace({ step, message }: Attempt, isLast: boolean): TraceModel {
  const { stopReason, content, errorMessage, failure } = message;
  return {
    type: "model",
    step,
    ...callTrace(message),
    stopReason,
    isFailed: !isLast || FAILED.includes(stopReason),
    text: contentText(content),
    ...(errorMessage !== undefined && { error: errorMessage }),
    ...(typeof failure?.status === "number" && { status: failure.status }),
  };
}

/** An attempt at a summary. */
function compactionTrace({ step, outcome }: Pick<Summary, "step" | "outcome">): TraceCompaction {
  const call = outcome.answer && { call: callTrace(outcome.answer) };
  if (!isCompaction(outcome)) return { type: "compaction", step, error: outcome.reason, ...call };
  const { before, after, measured } = outcome;
  return { type: "compaction", step, gain: { before, after, measured }, ...call };
}

function callTrace(message: AssistantMessage): TraceCall {
  const { provider, model, timestamp, usage } = message;
  const [latency, usd] = [latencyOf(message), costOf(message)];
  return {
    provider,
    model,
    at: timestamp,
    ...(latency !== undefined && { latency }),
    usage,
    ...(usd !== undefined && { usd }),
  };
}

/** The calls of a turn. The time of a call that ended after a later process had resumed the prompt includes the wait for that process. */
function toolTraces({ answer, calls }: TurnHistory, { begin, resumptions }: PromptHistory): readonly TraceTool[] {
  if (answer === undefined) return [];
  const { message } = answer;
  const resumedAt = Math.min(
    ...calls.flatMap(({ result }) => (result && isInterrupted(result) ? [result.timestamp] : [])),
    ...resumptions.flatMap(({ at = 0 }) => (at > message.timestamp ? [at] : [])),
  );
  const origins = new Map(begin?.plan.tools.map(({ wire, origin }) => [wire, origin]));
  return calls.map((one) => {
    const origin = origins.get(one.call.name);
    const outcome = one.result && outcomeOf(one.result, message, resumedAt);
    return {
      type: "tool",
      step: one.step,
      name: one.call.name,
      ...(origin !== undefined && { origin }),
      arguments: one.call.arguments,
      ...permissionOf(one),
      ...(outcome ?? { state: one.isStarted ? "started" : "waiting" }),
    };
  });
}

function permissionOf({ decision, approval }: CallHistory): Pick<TraceTool, "permission" | "decision"> {
  const isDenied = typeof decision === "object" && "deny" in decision;
  const action = isDenied ? "deny" : approval?.action;
  return {
    ...(action !== undefined && { permission: action === "allow" ? "given" : "refused" }),
    ...(decision !== undefined && { decision }),
  };
}

/** Milliseconds by which the clock of messages may run behind the one of latencies. */
const CLOCK_TOLERANCE = 10;

function outcomeOf(
  result: ToolResultMessage,
  message: AssistantMessage,
  resumedAt: number,
): Pick<TraceTool, "state" | "result" | "endedAt" | "duration" | "agent"> {
  const latency = latencyOf(message);
  const isKnown = latency !== undefined && result.timestamp < resumedAt;
  const duration = isKnown ? result.timestamp - message.timestamp - latency : Number.NaN;
  return {
    state: stateOf(result),
    result: contentText(result.content),
    endedAt: result.timestamp,
    ...(duration >= -CLOCK_TOLERANCE && { duration: Math.max(0, duration) }),
    ...agentOf(result),
  };
}

function agentOf({ details }: ToolResultMessage): Pick<TraceTool, "agent"> {
  if (!isRecord(details)) return {};
  const { agent: name, session } = details;
  return typeof name === "string" && typeof session === "string" ? { agent: { name, session } } : {};
}

function stateOf(result: ToolResultMessage): TraceToolState {
  if (isInterrupted(result)) return "interrupted";
  return result.isError ? "error" : "done";
}

const modelOf = ({ provider, model: name }: AssistantMessage): string => fullName({ provider, name });

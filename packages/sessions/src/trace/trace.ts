import type { JsonObject } from "@mdx-ai/base";
import type { CallDecision, CompactionReport, Cost, LimitName, PromptOutcome, ToolOrigin } from "@mdx-ai/loop";
import type { StopReason, Usage } from "@mdx-ai/models";
import type { DamagedLine } from "../session/session-journals.ts";

/** The version of this shape. Fields may be added to it; existing ones keep their names and meanings. */
export const TRACE_VERSION = 1;

/**
 * The course of a session, from its journal. JSON. Times are milliseconds since 1970, durations milliseconds, costs US
 * dollars. Values that the journal lacks are absent, never guessed.
 */
export interface Trace {
  readonly version: typeof TRACE_VERSION;
  readonly session: string;
  /** The usage and cost of all its answers, including failed ones and summaries. */
  readonly cost: Cost;
  readonly prompts: readonly TracePrompt[];
  /** Summaries that the user asked for between prompts. */
  readonly compactions: readonly (TraceCompaction & TraceOwnStep)[];
  /** The points at which the conversation went back to an earlier prompt. */
  readonly rewinds: readonly TraceRewind[];
  /** Inputs that were queued. */
  readonly queued: readonly TraceQueued[];
  /** The points at which the agent had changed. */
  readonly agentChanges: readonly TraceAgentChange[];
  /** Other session steps. */
  readonly otherSteps: readonly string[];
  /** Lines of `journal.jsonl`, counted from 1, that this version cannot read and that are left out. */
  readonly unreadableLines: readonly number[];
  /** The unreadable lines of all journals of the session. */
  readonly damage: readonly DamagedLine[];
}

/** One input of the user, run to completion. */
export interface TracePrompt {
  /** From 1. */
  readonly number: number;
  /** The id that its sender got. */
  readonly id?: string;
  readonly input?: string;
  /** The models of its plan, in the order in which they are asked, as `provider/name`. */
  readonly models?: readonly string[];
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** From start to end, including the time between an interruption and the resume. */
  readonly duration?: number;
  /** `unfinished`: it has no end yet, since it runs or was interrupted. */
  readonly outcome: PromptOutcome | "unfinished";
  /** With outcome `unfinished`: the process that runs it, for people; absent if it was interrupted. */
  readonly holder?: string;
  /** With outcome `limit`. */
  readonly limit?: { readonly limit: LimitName; readonly value: number };
  readonly cost: Cost;
  readonly turns: readonly TraceTurn[];
  /** The user's input while it ran. */
  readonly steering: readonly TraceSteering[];
  /** The points at which a later process resumed it. */
  readonly resumptions: readonly TraceResumption[];
  /** The steps in which hooks of modules ran, such as "hook:afterTool:1". */
  readonly hooks?: readonly string[];
  /** Names of unknown or unreadable steps. */
  readonly otherSteps: readonly string[];
}

/** User input to a running prompt. */
interface TraceSteering {
  /** Its name in the journal, such as "steer:1". */
  readonly step: string;
  readonly text: string;
  readonly at: number;
  /** The turn in which the model received it; absent if it did not. */
  readonly turn?: number;
}

/** A later process resumed an interrupted prompt. */
interface TraceResumption {
  /** Such as "resume:1". */
  readonly step: string;
  readonly at: number;
  /** The turn in which it continued; the last one if only the end was missing; absent before the first. */
  readonly turn?: number;
}

/** One model call, with all its attempts, and the tool calls that it asked for. */
export interface TraceTurn {
  /** From 1. */
  readonly number: number;
  /** In the order in which they ended; the tools come last, in the order of their calls. */
  readonly steps: readonly TraceStep[];
}

/** A step of a turn. */
export type TraceStep = TraceModel | TraceRetry | TraceFallback | TraceCompaction | TraceTool;

/** An attempt to get an answer. */
export interface TraceModel extends TraceCall {
  readonly type: "model";
  /** Its name in the journal, such as "model:3#2": the second attempt of the third turn. */
  readonly step: string;
  readonly stopReason: StopReason;
  /** Whether its answer is unusable. */
  readonly isFailed: boolean;
  readonly text: string;
  /** With `isFailed`, if it is known. */
  readonly error?: string;
  /** HTTP status of the failure. */
  readonly status?: number;
}

/** The time and usage of a request to a model. */
export interface TraceCall {
  readonly provider: string;
  readonly model: string;
  /** When it was asked. */
  readonly at: number;
  readonly latency?: number;
  readonly usage: Usage;
  /** Absent if the price is not known. */
  readonly usd?: number;
}

/** A wait before a model is asked again, for an answer or for a summary. */
interface TraceRetry {
  readonly type: "retry";
  /** Such as "retry:3#2": before the second attempt of the third turn. */
  readonly step: string;
  readonly delay: number;
}

/** The prompt continued with another model. Both as `provider/name`. */
interface TraceFallback {
  readonly type: "fallback";
  readonly from: string;
  readonly to: string;
}

/** An attempt to replace older messages by a summary. */
export interface TraceCompaction {
  readonly type: "compaction";
  /** Such as "compact:3": in the third turn. */
  readonly step: string;
  /** Its effect, in tokens of a request; absent if it failed. */
  readonly gain?: CompactionReport;
  /** Why it failed. */
  readonly error?: string;
  /** The request for the summary; absent if none was made. */
  readonly call?: TraceCall;
}

/** A session step. */
interface TraceOwnStep {
  readonly step: string;
  /** The number of the prompt before it; 0 if there was none. */
  readonly afterPrompt: number;
}

/** The conversation went back to an earlier prompt. Later prompts are kept, but are not part of it. */
export interface TraceRewind extends TraceOwnStep {
  /** The number of the prompt with which the conversation ended; 0: it was empty. */
  readonly prompt: number;
  readonly at?: number;
}

/** The agent had changed. */
export interface TraceAgentChange extends TraceOwnStep {
  /** The parts that changed, were added or removed, such as "parameters of tool weather". */
  readonly parts: readonly string[];
}

/** An input that waited for its turn. */
export interface TraceQueued extends TraceOwnStep {
  readonly text: string;
  readonly at: number;
  /** `taken`: it became `prompt`; `withdrawn`: it was removed from the queue. */
  readonly state: "waiting" | "taken" | "withdrawn";
  readonly prompt?: number;
}

/**
 * The state of a tool call. `interrupted`: the process ended before the tool did, and the call was not run
 * again; `started`: it is running, or was interrupted and not resumed yet; `waiting`: nothing is known.
 */
export type TraceToolState = "done" | "error" | "interrupted" | "started" | "waiting";

/** A tool call. */
export interface TraceTool {
  readonly type: "tool";
  /** Such as "tool:3:call_1". */
  readonly step: string;
  /** As the model calls it. */
  readonly name: string;
  /** The origin of the tool; absent if the journal lacks it. */
  readonly origin?: ToolOrigin;
  readonly arguments: JsonObject;
  readonly state: TraceToolState;
  /** The answer of the user or a rule; absent if no approval was needed. */
  readonly permission?: "given" | "refused";
  /** The policy decision, with the reason for the model if the call did not run; absent if the journal lacks it. */
  readonly decision?: CallDecision;
  /** The text of the result. */
  readonly result?: string;
  readonly endedAt?: number;
  /** Measured from the end of the answer that called it; absent if unknown, or if a process ended in between. */
  readonly duration?: number;
  /** Of an agent that works as a tool: its name, its session, and the trace of that session, if it still exists. */
  readonly agent?: { readonly name: string; readonly session: string; readonly trace?: Trace };
}

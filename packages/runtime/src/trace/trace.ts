import type { JsonObject, StopReason, Usage } from "@mdx-ai/models";
import type { LimitName, Spending, TokenMeasure } from "../types/event.ts";
import type { PromptOutcome } from "../types/module.ts";

/** The version of this shape. Fields may be added to it; what is there keeps its name and its meaning. */
export const TRACE_VERSION = 1;

/**
 * What went on in a session, as its journal tells it. JSON. Times are milliseconds since 1970, durations milliseconds,
 * costs US dollars; what the journal does not hold is absent, never guessed.
 */
export interface Trace {
  readonly version: typeof TRACE_VERSION;
  readonly session: string;
  /** What all its answers came to, those included that failed and those with summaries. */
  readonly spending: Spending;
  readonly prompts: readonly TracePrompt[];
  /** Summaries that the user asked for between prompts. */
  readonly compactions: readonly TraceSessionCompaction[];
  /** Where the conversation went back to an earlier prompt. */
  readonly rewinds: readonly TraceRewind[];
  /** Inputs that were written down to wait for their turn. */
  readonly queued: readonly TraceQueued[];
  /** Where the agent was another one than before. */
  readonly agentChanges: readonly TraceAgentChange[];
  /** Other steps of the session itself. */
  readonly otherSteps: readonly string[];
  /** Lines of `journal.jsonl`, counted from 1, that this version cannot read and that are left out. */
  readonly unreadableLines: readonly number[];
  /** The same of all journals of the session. */
  readonly damage: readonly TraceDamage[];
}

/** A line that cannot be read. */
interface TraceDamage {
  /** The name of the journal, such as "journal-0001.jsonl". */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** One input of the user, worked off. */
export interface TracePrompt {
  /** From 1. */
  readonly number: number;
  readonly input?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** From its start to its end, with the time between processes where one was cut short and a later one went on. */
  readonly duration?: number;
  /** `unfinished`: it has no end yet, since it runs or was cut short. */
  readonly outcome: PromptOutcome | "unfinished";
  /** With outcome `limit`. */
  readonly limit?: { readonly limit: LimitName; readonly value: number };
  readonly spending: Spending;
  readonly turns: readonly TraceTurn[];
  /** What the user said while it ran. */
  readonly steering: readonly TraceSteering[];
  /** Where a later process went on with it. */
  readonly resumptions: readonly TraceResumption[];
  /** Names of steps that have no place in a turn, or cannot be read. */
  readonly otherSteps: readonly string[];
}

/** Something that the user said to a running prompt. */
export interface TraceSteering {
  /** Such as "steer:1". */
  readonly step: string;
  readonly text: string;
  readonly at: number;
  /** The turn from which on the model was told; absent where it was not told. */
  readonly turn?: number;
}

/** A process had ended before the prompt did, and another one went on. */
export interface TraceResumption {
  /** Such as "resume:1". */
  readonly step: string;
  readonly at: number;
  /** The turn in which it went on, the last one where nothing was left but the end; absent before the first. */
  readonly turn?: number;
}

/** One model call, with all its attempts, and the tool calls that it asked for. */
export interface TraceTurn {
  /** From 1. */
  readonly number: number;
  /** In the order in which they ended; the tools come last, in the order of their calls. */
  readonly steps: readonly TraceStep[];
}

/** What happened in a turn. */
export type TraceStep = TraceModel | TraceRetry | TraceFallback | TraceCompaction | TraceTool;

/** An attempt to get an answer. */
export interface TraceModel extends TraceCall {
  readonly type: "model";
  /** Its name in the journal, such as "model:3#2": the second attempt of the third turn. */
  readonly step: string;
  readonly stopReason: StopReason;
  /** Whether it gave no answer to go on with. */
  readonly isFailed: boolean;
  readonly text: string;
  /** With `isFailed`, where it is known. */
  readonly error?: string;
  /** HTTP status of the failure. */
  readonly status?: number;
}

/** What a question to a model took. */
export interface TraceCall {
  readonly provider: string;
  readonly model: string;
  /** When it was asked. */
  readonly at: number;
  readonly latency?: number;
  readonly usage: Usage;
  /** Absent where the price is not known. */
  readonly usd?: number;
}

/** A wait before a model is asked again, for an answer or for a summary. */
export interface TraceRetry {
  readonly type: "retry";
  /** Such as "retry:3#2": before the second attempt of the third turn. */
  readonly step: string;
  readonly delay: number;
}

/** From here on another model was asked. Both as `provider/name`. */
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
  /** What it gained, in tokens of a request; absent where it failed. */
  readonly gain?: { readonly before: number; readonly after: number; readonly measured: TokenMeasure };
  /** Why it failed. */
  readonly error?: string;
  /** The question for the summary; absent where it was not asked. */
  readonly call?: TraceCall;
}

/** A summary between prompts. */
interface TraceSessionCompaction extends TraceCompaction {
  /** The number of the prompt before it; 0 where there was none. */
  readonly afterPrompt: number;
}

/** From here on the conversation ended with an earlier prompt; what came behind it is kept, and no part of it. */
export interface TraceRewind {
  readonly step: string;
  /** The number of the prompt with which the conversation ended; 0: it was empty. */
  readonly prompt: number;
  readonly at?: number;
  /** The number of the prompt before it; 0 where there was none. */
  readonly afterPrompt: number;
}

/** From here on the agent was another one. */
export interface TraceAgentChange {
  readonly step: string;
  /** What changed, came or went, such as "parameters of tool weather". */
  readonly parts: readonly string[];
  /** The number of the prompt before it; 0 where there was none. */
  readonly afterPrompt: number;
}

/** An input that waited for its turn. */
export interface TraceQueued {
  readonly step: string;
  readonly text: string;
  readonly at?: number;
  /** The number of the prompt that had begun last; 0 where there was none. */
  readonly afterPrompt: number;
  /** `taken`: it became `prompt`; `withdrawn`: it was taken back. */
  readonly state: "waiting" | "taken" | "withdrawn";
  readonly prompt?: number;
}

/**
 * What became of a tool call. `interrupted`: it was started by a process that ended before the tool did, and was not
 * run again; `started`: it runs, or the same happened and nobody went on yet; `waiting`: nothing is known of it.
 */
export type TraceToolState = "done" | "error" | "interrupted" | "started" | "waiting";

/** A tool call. */
export interface TraceTool {
  readonly type: "tool";
  /** Such as "tool:3:call_1". */
  readonly step: string;
  /** As the model calls it. */
  readonly name: string;
  readonly arguments: JsonObject;
  readonly state: TraceToolState;
  /** What the user, or a rule, said when it was asked; absent where nobody was. */
  readonly permission?: "given" | "refused";
  /** The text of the result. */
  readonly result?: string;
  readonly endedAt?: number;
  /** From the end of the answer that called it; absent where that is not known, or a process ended in between. */
  readonly duration?: number;
}

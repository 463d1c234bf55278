import type {
  CallDecision,
  CompactionOutcome,
  Cost,
  FileRecord,
  PermissionDecision,
  PromptEnd,
  PromptPlan,
  SpentElsewhere,
} from "@mdx-ai/loop";
import type { AssistantMessage, ToolCall, ToolResultMessage, UserMessage } from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal.ts";

/** The journaled history of one prompt. */
export interface PromptHistory {
  /** From 1. */
  readonly number: number;
  /** As they were journaled. */
  readonly lines: readonly JournalLine[];
  /** The beginning; undefined if lost. */
  readonly begin: PromptBeginning | undefined;
  /** Whether the journal has a line for its beginning, readable or not. */
  readonly hasBegun: boolean;
  /** The texts that modules added after the input. */
  readonly added: UserMessage | undefined;
  /** Whether a module denied it: it has no messages. */
  readonly isDenied: boolean;
  /** In their order. */
  readonly turns: readonly TurnHistory[];
  /** The user's input while it ran. */
  readonly steering: readonly Steering[];
  /** The points at which later processes resumed it. */
  readonly resumptions: readonly Resumption[];
  /** How many of the last resumes did not reach the next step. */
  readonly failedResumes: number;
  /** The files that its builtin tools read and were about to replace, in order. */
  readonly files: readonly FileRecord[];
  /** The steps of hooks, such as "hook:afterTool:1". */
  readonly hooks: readonly string[];
  /** What was spent elsewhere, and added to limits, when it was last read. */
  readonly elsewhere: SpentElsewhere | undefined;
  /** Undefined if it has none, or none that can be read. */
  readonly end: PromptEnd | undefined;
  /** Whether the journal has a line for its end, readable or not. */
  readonly hasEnded: boolean;
  /** Whether an unreadable line follows one of its lines. */
  readonly isDamaged: boolean;
  /** The usage and cost of all its answers, including failed ones and summaries. */
  readonly cost: Cost;
  /** The names of unknown or unreadable steps. */
  readonly unknown: readonly string[];
}

/** The beginning of a prompt. */
export interface PromptBeginning {
  readonly message: UserMessage;
  /** The input's number in the session's queue, if it was queued. */
  readonly queued: number | undefined;
  /** The prompt's id. */
  readonly id: string;
  readonly plan: PromptPlan;
}

/** One model call, with all its attempts, and the tool calls that it asked for. */
export interface TurnHistory {
  /** From 1. */
  readonly number: number;
  /** The user's input meanwhile, which the model received with it. */
  readonly delivered: readonly UserMessage[];
  /** Attempts, waits and summaries as they were journaled. */
  readonly steps: readonly TurnStep[];
  /** The last attempt; those before it failed. */
  readonly answer: Attempt | undefined;
  /** The policy decisions about the calls of the answer; undefined before the decision. */
  readonly policy: readonly CallDecision[] | undefined;
  /** The calls of the answer, in order; none if the answer is incomplete, since they are not run. */
  readonly calls: readonly CallHistory[];
  /** The texts that modules added behind the results. */
  readonly added: readonly UserMessage[];
  /** Whether its answer is lost in whole or in part: there are steps of unknown calls. */
  readonly lacksAnswer: boolean;
}

export type TurnStep = Attempt | Wait | Summary;

/** An attempt to get an answer. */
export interface Attempt {
  readonly type: "attempt";
  readonly step: string;
  /** From 1. */
  readonly attempt: number;
  readonly message: AssistantMessage;
}

/** A wait before a model is asked again, for an answer or for a summary. */
interface Wait {
  readonly type: "wait";
  readonly step: string;
  /** Whether the wait is for a summary. */
  readonly isForSummary: boolean;
  /** Milliseconds; undefined if unreadable. */
  readonly delay: number | undefined;
}

/** An attempt to replace older messages by a summary. */
export interface Summary {
  readonly type: "summary";
  readonly step: string;
  /** The attempt of its turn before which it was made. */
  readonly attempt: number;
  readonly outcome: CompactionOutcome;
}

/** A tool call. */
export interface CallHistory {
  readonly step: string;
  readonly call: ToolCall;
  readonly isStarted: boolean;
  /** Undefined if it has none, or none that can be read. */
  readonly result: ToolResultMessage | undefined;
  /** The decision before anything ran; undefined before it was made. */
  readonly decision: CallDecision | undefined;
  /** The answer to its approval request. */
  readonly approval: PermissionDecision | undefined;
}

/** Whether a call's result is lost: its prompt has ended or is damaged. */
export const lacksResult = (
  { hasEnded, isDamaged }: Pick<PromptHistory, "hasEnded" | "isDamaged">,
  { result }: CallHistory,
): boolean => result === undefined && (hasEnded || isDamaged);

/** User input to a running prompt. */
export interface Steering {
  readonly step: string;
  readonly message: UserMessage;
  /** The turn in which the model received it; undefined if it did not. */
  readonly turn: number | undefined;
}

/** A later process resumed an interrupted prompt. */
export interface Resumption {
  readonly step: string;
  /** Milliseconds since 1970; undefined if unreadable. */
  readonly at: number | undefined;
  /** The turn in which it continued; the last one if only the end was missing; undefined before the first. */
  readonly turn: number | undefined;
}

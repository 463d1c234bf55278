import type { AgentParts, CompactionOutcome, Cost, UndoPlan } from "@mdx-ai/loop";
import type { ImageContent } from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal.ts";
import type { PromptHistory } from "./prompt-history.ts";
import type { SegmentHead } from "./segment-head.ts";

/** The content of a session's journals. */
export interface SessionHistory {
  /** The history before the lines. */
  readonly before: SegmentHead;
  /** The prompts of all branches, in the order in which they began. */
  readonly prompts: readonly SessionPrompt[];
  /** The branch that is the transcript, beginning with the prompt before all of these lines, or with number 0. */
  readonly path: readonly SessionPrompt[];
  /** Whether the transcript refers to a prompt before these lines. */
  readonly isCutOff: boolean;
  /** The last prompt, if it has no end and the transcript has not gone back since. */
  readonly open: SessionPrompt | undefined;
  /** The number of the last prompt; 0 if there is none. */
  readonly lastPrompt: number;
  /** The ids of all prompts, including queued ones and those before these lines, the oldest first. */
  readonly promptIds: ReadonlySet<string>;
  /** The session steps. */
  readonly own: OwnHistory;
}

/** A prompt within its session. */
export interface SessionPrompt extends PromptHistory {
  /** The number of the prompt that it follows in the transcript. */
  readonly parent: number;
  /** The summaries that the user asked for between it and the next one. */
  readonly summaries: readonly CompactionOutcome[];
  /** The agent's parts when it began; undefined if the journal does not say. */
  readonly agent: AgentParts | undefined;
}

/** The content of the session steps. */
export interface OwnHistory {
  /** As journaled, including steps that the head of the first journal repeats. */
  readonly lines: readonly JournalLine[];
  /** The inputs that were put into the queue, in their order. */
  readonly queue: readonly QueueEntry[];
  /** The user whose programs write the session from a step on. */
  readonly owner: Owner | undefined;
  /** The points at which the transcript went back to an earlier prompt. */
  readonly rewinds: readonly Rewind[];
  /** The last undo, if no rewind followed it, so that some files may not be restored. */
  readonly unfinishedUndo: UndoPlan | undefined;
  readonly summaries: readonly OwnSummary[];
  /** The agent's parts from a step on. */
  readonly agents: readonly AgentState[];
  /** The last output of the code in the agent's prose, as Markdown; undefined if there is none. */
  readonly identity: string | undefined;
  /** The highest number used for each kind, even if its line is unreadable. */
  readonly highest: Readonly<Record<"queue" | "head" | "undo" | "agent", number>>;
  /** The usage and cost of the summaries. */
  readonly cost: Cost;
  /** The names of unreadable steps, and of steps that no other field represents. */
  readonly others: readonly string[];
}

/** A session step. */
export interface OwnStep {
  readonly step: string;
  /** The number of the last prompt before it; 0 if there is none. */
  readonly afterPrompt: number;
}

/** A user, by their signature. */
export interface Owner extends OwnStep {
  readonly mark: string;
}

/** A queued input. */
export interface QueuedInput {
  /** Its number in the session's queue; never reused. */
  readonly number: number;
  readonly text: string;
  /** Images that follow the text. */
  readonly images?: readonly ImageContent[];
  /** The command as typed, if the text was expanded from one. */
  readonly typed?: string;
  /** What it has cost: it is the result of an agent. */
  readonly cost?: Cost;
  /** The prompt's id. */
  readonly id: string;
}

/** An input that was put into the queue. */
export interface QueueEntry extends QueuedInput, OwnStep {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isWithdrawn: boolean;
  /** The number of the prompt that it became. */
  readonly prompt: number | undefined;
}

/** The transcript goes back to an earlier prompt. */
export interface Rewind extends OwnStep {
  readonly type: "rewind";
  readonly prompt: number;
  /** Milliseconds since 1970; undefined if the journal lacks it. */
  readonly at: number | undefined;
  /** Whether the files that later prompts changed were restored. */
  readonly isUndo: boolean;
  /** In a fork: the ids of its prompts. Other prompts in its journals belong to another session. */
  readonly promptIds: readonly string[] | undefined;
}

/** A summary that the user asked for. */
export interface OwnSummary extends OwnStep {
  readonly type: "summary";
  readonly outcome: CompactionOutcome;
}

/** The agent's parts from here on. */
export interface AgentState extends OwnStep {
  readonly parts: AgentParts;
}

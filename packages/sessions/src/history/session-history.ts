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
  /** Whether the transcript goes back to a prompt that is not in these lines. */
  readonly isCutOff: boolean;
  /** The last prompt, if it has no end and nobody has gone back since. */
  readonly open: SessionPrompt | undefined;
  /** The number of the last prompt; 0 if there is none. */
  readonly lastPrompt: number;
  /** The ids of the prompts, those in the queue and those before the lines included, the oldest first. */
  readonly promptIds: ReadonlySet<string>;
  /** The steps of the session itself. */
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

/** The content of a session's own steps. */
export interface OwnHistory {
  /** As they were journaled, those that the head of the first journal repeats included. */
  readonly lines: readonly JournalLine[];
  /** The inputs that were put into the queue, in their order. */
  readonly queue: readonly QueueEntry[];
  /** The user whose programs write the session from a step on. */
  readonly owner: Owner | undefined;
  /** The points at which the transcript went back to an earlier prompt. */
  readonly rewinds: readonly Rewind[];
  /** The last undo, if its files were perhaps not all restored: no rewind followed it. */
  readonly unfinishedUndo: UndoPlan | undefined;
  readonly summaries: readonly OwnSummary[];
  /** The agent's parts from a step on. */
  readonly agents: readonly AgentState[];
  /** The last output of the code in the agent's prose, as Markdown; undefined if there is none. */
  readonly identity: string | undefined;
  /** The highest number of each kind that was given, also if its line cannot be read. */
  readonly highest: Readonly<Record<"queue" | "head" | "undo" | "agent", number>>;
  /** The usage and cost of the summaries. */
  readonly cost: Cost;
  /** The names of steps that no other field shows, or that cannot be read. */
  readonly others: readonly string[];
}

/** Something that the session itself did. */
export interface OwnStep {
  readonly step: string;
  /** The number of the last prompt before it; 0 if there is none. */
  readonly afterPrompt: number;
}

/** A user, by their mark. */
export interface Owner extends OwnStep {
  readonly mark: string;
}

/** An input that waits for its turn. */
export interface QueuedInput {
  /** In the session's queue; never given twice. */
  readonly number: number;
  readonly text: string;
  /** Behind the text. */
  readonly images?: readonly ImageContent[];
  /** What the user typed, if a command of theirs made the text. */
  readonly typed?: string;
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

/** The transcript ends with an earlier prompt from here on. */
export interface Rewind extends OwnStep {
  readonly type: "rewind";
  readonly prompt: number;
  /** Milliseconds since 1970; undefined if the journal does not say. */
  readonly at: number | undefined;
  /** Whether the files that later prompts changed were restored. */
  readonly isUndo: boolean;
  /** In a fork: the ids of the prompts that it has; the other prompts of its journals are another session's. */
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

import {
  type AgentParts,
  type ContextPolicy,
  type Conversation,
  type Cost,
  contentText,
  fullName,
  type PendingPrompt,
  type Step,
  type UndoPlan,
  type UserInput,
} from "@mdx-ai/loop";
import type { ImageContent, Message } from "@mdx-ai/models";
import { readPrompt } from "../history/read-prompt.ts";
import type { QueuedInput, SessionHistory } from "../history/session-history.ts";
import type { JournaledPrompt } from "../hosts/inbox.ts";
import type { JournalLine } from "../journal/journal.ts";
import type { SkillChoices } from "./skill-choices.ts";

/** The input of a prompt's run. */
export interface PromptJournal extends JournaledPrompt {
  /** The conversation to append to. */
  readonly conversation: Conversation;
}

/** The data that a session stores about a new prompt. */
export interface BegunPrompt {
  readonly id?: string;
  /** Its input's number in the queue, if it was queued. */
  readonly queued?: number | undefined;
  /** Its note about the user's mode. */
  readonly modeNote?: string | undefined;
  /** The agent's parts from now on. */
  readonly agentParts?: AgentParts;
}

/** Runs a prompt. */
export type PromptWork<Result> = (journal: PromptJournal) => Promise<Result>;

/** The undo functions of a session on disk. */
export interface SessionPast {
  /** Absolute. */
  readonly folder: string;
  /** Whether a content contains a secret of the user, so that it must not be stored. */
  containsSecret(content: Uint8Array): boolean;
  /** Everything since the session was last cleared, read from disk. */
  history(): SessionHistory;
  /** Journals the plan of an undo. Resolves when it is on disk. */
  beginUndo(plan: UndoPlan): Promise<void>;
  /**
   * Ends the transcript with an earlier prompt; 0: with none. `isUndo`: the files that later prompts changed were restored.
   * Nothing is deleted. Rejects with `UnknownPromptError`.
   */
  rewind(to: number, isUndo?: boolean): Promise<void>;
}

/** An open session: its transcript, and the destination of its prompts' steps. */
export interface OpenedSession {
  readonly id: string;
  /** Unique: an earlier or later session with the same id has another key. */
  readonly key: string;
  /** The whole transcript. Reads messages from disk that are no longer in memory. */
  readonly messages: readonly Message[];
  /** The part of the transcript in memory, and the summary that replaces older messages. The loop appends to it. */
  readonly conversation: Conversation;
  /** The usage and cost of all its answers, including those outside the transcript. */
  readonly cost: Cost;
  /** The number of the last prompt; 0 before the first. */
  readonly lastPrompt: number;
  /** The last prompt, if it was interrupted; `runPrompt` resumes it. */
  readonly interrupted: InterruptedPrompt | undefined;
  /**
   * The queued inputs when the session was read, in order, without those that have begun or were removed since. They are read
   * again while the session is open, so inputs of this process may be among them.
   */
  readonly queued: readonly QueuedInput[];
  /** The unfinished prompts of an earlier process, in the order in which they will be finished. */
  readonly pending: readonly PendingEntry[];
  /** Whether it is untrusted: it can be read and continued, but its prompts run and its files are restored only if the user allows it. */
  readonly isUntrusted: boolean;
  /** The ids of its prompts, including queued ones; in a long session, only of the newest. */
  readonly promptIds: ReadonlySet<string>;
  /** How often the transcript went back to an earlier prompt. */
  readonly rewinds: number;
  /** The user's choices of skills. */
  readonly skills: SkillChoices;
  /** The last note about the user's mode among its messages; undefined if there is none. */
  readonly modeNote: string | undefined;
  /** Absent if the session is in memory only. */
  readonly past?: SessionPast;
  /** The session steps, which outlive prompts. */
  readonly ownStep: Step;
  /** Keeps the part of the transcript in memory that a policy sends, even if it is more than before. */
  usePolicy(policy: ContextPolicy): Promise<void>;
  /**
   * Runs the next prompt, or resumes the interrupted one, and updates the view of the history.
   */
  runPrompt<Result>(work: PromptWork<Result>, prompt?: BegunPrompt): Promise<Result>;
  /**
   * Closes the interrupted prompt with this number without running anything. Resolves to false if no such prompt is
   * interrupted, or if it is being resumed.
   */
  closeInterrupted(prompt: number): Promise<boolean>;
  /** Adds the usage and cost of a prompt or a session step. */
  count(cost: Cost): void;
  /** Replaces the user's choices of skills, from the next prompt on. Throws the file system's error. */
  chooseSkills(choices: SkillChoices): void;
  /** Queues an input; resolves to its number when it is on disk. */
  enqueue(input: UserInput, id: string): Promise<number>;
  /** Removes an input from the queue. */
  dequeue(number: number): Promise<void>;
  /** Archives the history; the session continues empty. Nothing is deleted. */
  clear(): void;
  close(): void;
}

/** Whether messages contain this note about the user's mode. */
export const hasModeNote = (modeNote: string, messages: readonly Message[]): boolean =>
  messages.some(
    (message) =>
      message.role === "user" &&
      message.origin !== undefined &&
      message.content[0]?.type === "text" &&
      message.content[0].text === modeNote,
  );

/** An interrupted prompt. */
export interface InterruptedPrompt extends PendingPrompt {
  readonly state: "interrupted";
  /** Absent if its beginning is lost. */
  readonly id?: string;
  /** The models of its plan, each as `provider/name`. */
  readonly models: readonly string[];
  /** Its usage and cost before the interruption. */
  readonly cost: Cost;
  /** How many of the last resumes did not reach the next step. */
  readonly failedResumes: number;
  /** The total number of resumes. */
  readonly resumes: number;
}

/** Reads the lines of a prompt without an end. */
export function interruptedPrompt(lines: readonly JournalLine[]): InterruptedPrompt {
  const { number, begin, turns, cost, failedResumes, resumptions } = readPrompt(lines);
  const id = begin?.id;
  const calls = turns.flatMap((turn) => turn.calls);
  return {
    prompt: number,
    ...(id !== undefined && { id }),
    input: contentText(begin?.message.content ?? []),
    state: "interrupted",
    models: begin?.plan.models.map(fullName) ?? [],
    tools: calls.flatMap(({ call, isStarted, result }) => (isStarted && result === undefined ? [call.name] : [])),
    cost,
    failedResumes,
    resumes: resumptions.length,
  };
}

/** An unfinished prompt of an earlier process. */
export interface PendingEntry {
  readonly id: string;
  readonly prompt: PendingPrompt;
  /** The images of a queued input. */
  readonly images?: readonly ImageContent[] | undefined;
  readonly typed?: string | undefined;
  readonly cost?: Cost | undefined;
  readonly queued?: number;
  /** Whether it is untrusted: it runs only if the user allows it. */
  readonly isUntrusted: boolean;
}

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
  /** To add to. */
  readonly conversation: Conversation;
}

/** The data that a session keeps about a new prompt. */
export interface BegunPrompt {
  readonly id?: string;
  /** The number of its input in the queue, if it waited there. */
  readonly queued?: number | undefined;
  /** The note about the user's mode that it brings along. */
  readonly modeNote?: string | undefined;
  /** The agent's parts from now on. */
  readonly agentParts?: AgentParts;
}

/** Runs a prompt. */
export type PromptWork<Result> = (journal: PromptJournal) => Promise<Result>;

/** What a session on disk can go back to. */
export interface SessionPast {
  /** Absolute. */
  readonly folder: string;
  /** Whether a content contains a secret of the user, so that it may not be kept. */
  containsSecret(content: Uint8Array): boolean;
  /** Everything since the session was last cleared, read from disk. */
  history(): SessionHistory;
  /** Journals what an undo is about to do; on disk when this resolves. */
  beginUndo(plan: UndoPlan): Promise<void>;
  /**
   * From now on the transcript ends with an earlier prompt; 0: it is empty. `isUndo`: the files that later prompts changed were restored.
   * Nothing is deleted. Rejects with `UnknownPromptError`.
   */
  rewind(to: number, isUndo?: boolean): Promise<void>;
}

/** An open session: its transcript, and the destination of its prompts' steps. */
export interface OpenedSession {
  readonly id: string;
  /** Distinguishes this session from every other one that had, or will have, its id. */
  readonly key: string;
  /** The whole transcript; messages that are no longer held are read from disk. */
  readonly messages: readonly Message[];
  /** The transcript as far as it is held, and the summary that replaces a part of it; the loop adds to it. */
  readonly conversation: Conversation;
  /** The usage and cost of its answers, those included that are no part of the transcript. */
  readonly cost: Cost;
  /** The number of the last prompt; 0 before the first. */
  readonly lastPrompt: number;
  /** The last prompt, if a crash cut it short; `runPrompt` resumes it. */
  readonly interrupted: InterruptedPrompt | undefined;
  /**
   * The queued inputs when the session was read, in order, without those that have begun or were taken back since. They are read
   * again while the session is open, so inputs of this process may be among them.
   */
  readonly queued: readonly QueuedInput[];
  /** The prompts that an earlier process did not finish, in the order in which they are finished. */
  readonly pending: readonly PendingEntry[];
  /** Whether programs of this user did not begin it here: it is read and continued, but nothing of it runs or is restored unasked. */
  readonly isUntrusted: boolean;
  /** The ids of its prompts, those in the queue included; of a long session those of the newest. */
  readonly promptIds: ReadonlySet<string>;
  /** How often the transcript went back to an earlier prompt. */
  readonly rewinds: number;
  /** The user's choices of skills. */
  readonly skills: SkillChoices;
  /** The last note about the user's mode among its messages; undefined if there is none. */
  readonly modeNote: string | undefined;
  /** Absent if the session lives in memory. */
  readonly past?: SessionPast;
  /** The steps of the session itself, which outlive its prompts. */
  readonly ownStep: Step;
  /** Holds the part of the transcript that a policy sends, even if that is more than before. */
  usePolicy(policy: ContextPolicy): Promise<void>;
  /**
   * Runs the next prompt, or resumes the interrupted one, and brings the view of the history up to date.
   */
  runPrompt<Result>(work: PromptWork<Result>, prompt?: BegunPrompt): Promise<Result>;
  /**
   * Ends the interrupted prompt of this number for good, with nothing run. Resolves to false if no such prompt is
   * interrupted, or it is resumed meanwhile.
   */
  closeInterrupted(prompt: number): Promise<boolean>;
  /** Adds the usage and cost of a prompt, or of a step of the session. */
  count(cost: Cost): void;
  /** Replaces the user's choices of skills, from the next prompt on. Throws what the file system says. */
  chooseSkills(choices: SkillChoices): void;
  /** Puts an input into the queue; resolves to its number when it is on disk. */
  enqueue(input: UserInput, id: string): Promise<number>;
  /** Takes an input back. */
  dequeue(number: number): Promise<void>;
  /** Archives the history; the session continues empty. Nothing is deleted. */
  clear(): void;
  close(): void;
}

/** Whether messages hold this note about the user's mode. */
export const hasModeNote = (modeNote: string, messages: readonly Message[]): boolean =>
  messages.some(
    (message) =>
      message.role === "user" &&
      message.origin !== undefined &&
      message.content[0]?.type === "text" &&
      message.content[0].text === modeNote,
  );

/** A prompt that a crash cut short. */
export interface InterruptedPrompt extends PendingPrompt {
  readonly state: "interrupted";
  /** Absent if its beginning is lost. */
  readonly id?: string;
  /** The models of its plan, each as `provider/name`. */
  readonly models: readonly string[];
  /** Its usage and cost until then. */
  readonly cost: Cost;
  /** How many of the last processes that resumed it did not get to the next step. */
  readonly failedResumes: number;
  /** How often it was resumed in all. */
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

/** A prompt that an earlier process did not finish. */
export interface PendingEntry {
  readonly id: string;
  readonly prompt: PendingPrompt;
  /** Those of a queued input. */
  readonly images?: readonly ImageContent[] | undefined;
  readonly typed?: string | undefined;
  readonly queued?: number;
  /** Whether programs of this user did not write it: it runs only if the user allows it. */
  readonly isForeign: boolean;
}

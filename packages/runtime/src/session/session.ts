import type { Message } from "@mdx-ai/models";
import type { Conversation } from "../types/compaction.ts";
import type { Spending } from "../types/event.ts";
import type { Step } from "../types/step.ts";

/** Works off a prompt. */
export type PromptWork<Result> = (
  step: Step,
  conversation: Conversation,
  recorded: ReadonlySet<string>,
) => Promise<Result>;

/** An open session: its transcript, and where the steps of its prompts go. */
export interface Session {
  readonly id: string;
  /** The transcript. */
  readonly messages: readonly Message[];
  /** The transcript, and what stands for a part of it; the loop adds to it. */
  readonly conversation: Conversation;
  /** What its answers came to, those included that are no part of the transcript. */
  readonly spending: Spending;
  /** The number of the last prompt; 0 before the first. */
  readonly lastPrompt: number;
  /** Whether a crash cut the last prompt short; `runPrompt` closes it. */
  readonly isInterrupted: boolean;
  /** The steps of the session itself, which outlive its prompts. */
  readonly ownStep: Step;
  /**
   * Works off the next prompt, or the one that a crash cut short, and brings the view of the history up to date.
   * `work` gets the steps of the prompt, the conversation to add to, and the names of the steps that are journaled.
   */
  runPrompt<Result>(work: PromptWork<Result>): Promise<Result>;
  /** Adds what a prompt, or a step of the session, came to. */
  count(spending: Spending): void;
  /** Archives what was said; the session goes on empty. Nothing is deleted. */
  clear(): void;
  close(): void;
}

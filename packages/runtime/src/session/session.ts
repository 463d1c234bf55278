import type { Message } from "@mdx-ai/models";
import type { Step } from "../types/step.ts";

/** An open session: its transcript, and where the steps of its prompts go. */
export interface Session {
  readonly id: string;
  /** The transcript; the loop adds to it. */
  readonly messages: readonly Message[];
  /** The number of the last prompt; 0 before the first. */
  readonly lastPrompt: number;
  /** Whether a crash cut the last prompt short; `runPrompt` closes it. */
  readonly isInterrupted: boolean;
  /** The steps of the session itself, which outlive its prompts. */
  readonly ownStep: Step;
  /**
   * Works off the next prompt, or the one that a crash cut short, and brings the view of the history up to date.
   * `work` gets the steps of the prompt and the transcript to add to.
   */
  runPrompt<Result>(work: (step: Step, messages: Message[]) => Promise<Result>): Promise<Result>;
  /** Archives what was said; the session goes on empty. Nothing is deleted. */
  clear(): void;
  close(): void;
}

import type { AgentEvent, Cost } from "@mdx-ai/loop";
import type { SessionQuestions, StepGate, UsageLine } from "@mdx-ai/sessions";
import type { PromptBudget } from "../budget/prompt-budget.ts";

/** A running prompt whose model may call agents, which spend from its limits. */
export interface CallingPrompt {
  readonly session: { readonly id: string; readonly key: string };
  /** Its number. */
  readonly prompt: number;
  readonly budget: PromptBudget;
  /** Counts its running steps, and those of its agents. */
  readonly gate: StepGate;
  questions(): SessionQuestions;
  emit(event: AgentEvent): void;
  /** Writes to the usage log of the prompt's agent. */
  record(line: UsageLine): void;
  /** Gives the model a message, in this prompt or in a later one, with what it cost. */
  deliver(text: string, cost: Cost | undefined): Promise<void>;
}

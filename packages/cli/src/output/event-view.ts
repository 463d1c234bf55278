import type { AgentEvent } from "@mdx-ai/runtime";

/** Shows the events of a prompt. */
export interface EventView {
  /** Never throws. */
  show(event: AgentEvent): void;
  /** Writes a message to standard error. */
  note(message: string): void;
  /** Shows the answer to a prompt that no user sent. Does nothing if the events show it already. */
  tellAnswer(text: string): void;
  /** Shows the usage and cost of the prompt. Does nothing if the events show it already. */
  tellSpending(line: string): void;
  /** Removes what is shown only during the run; may be called twice. */
  end(): void;
}

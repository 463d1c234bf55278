import type { AgentEvent } from "@mdx-ai/runtime";

/** Shows what an agent tells while it works off a prompt. */
export interface EventView {
  /** Never throws. */
  show(event: AgentEvent): void;
  /** Tells the user something on standard error. */
  note(message: string): void;
  /** Tells an answer that nobody asked for in this run. A view whose events tell that does nothing. */
  tellAnswer(text: string): void;
  /** Tells what the prompt came to. A view whose events tell that does nothing. */
  tellSpending(line: string): void;
  /** Takes away what was only for the time of the run; may be called twice. */
  end(): void;
}

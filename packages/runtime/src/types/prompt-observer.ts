import type { AgentEvent } from "./event.ts";

/** Hears what becomes of one prompt. Nothing here may throw or wait. */
export interface PromptObserver {
  tell(event: AgentEvent): void;
  /** The prompt could not be worked off. */
  fail(error: unknown): void;
}

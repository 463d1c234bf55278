import type { AssistantMessage, ModelParameters } from "@mdx-ai/models";
import type { AgentEvent } from "./event.ts";

/** What the requests of a prompt have in common. */
export interface RequestHead {
  readonly system: string;
  readonly parameters: ModelParameters;
}

/** Receives the events of one prompt, for logs and traces. Nothing here may throw or wait. */
export interface PromptObserver {
  /** Receives all events but updates of messages. */
  send(event: AgentEvent): void;
  /** Called once, before the model is asked for the first time. */
  prepare?(head: RequestHead): void;
  /** Receives each answer to a request for a summary; no event carries it. */
  summarize?(answer: AssistantMessage): void;
  /** The prompt could not run. */
  fail(error: unknown): void;
}

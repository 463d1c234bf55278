import type { LanguageModel } from "@mdx-ai/models";
import type { AgentEvent } from "../types/event.ts";
import type { Step } from "../types/step.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";

/** All that the loop needs to work off one prompt; it touches nothing else. */
export interface PromptRun {
  readonly step: Step;
  readonly model: LanguageModel;
  readonly tools: ToolRegistry;
  readonly system: string;
  readonly input: string;
  readonly maxTurns: number;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970; read within steps alone. */
  now(): number;
  emit(event: AgentEvent): void;
}
